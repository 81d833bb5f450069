import FoundationEssentials

/// Where a ledger lives when nothing else is said, so that every command on this host spends from the same one.
public enum StateFolder {
  /// `$XDG_STATE_HOME/tubeline`, or `~/.local/state/tubeline`. It is made when it is missing.
  public static func path(_ environment: [String: String]) -> String {
    let base =
      environment["XDG_STATE_HOME"] ?? (environment["HOME"].map { $0 + "/.local/state" } ?? FileManager.default.temporaryDirectory.path())
    let path = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/tubeline"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
