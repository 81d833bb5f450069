import Telemetry

/// What a terminal has room for, and can do.
enum TerminalSize {
  /// nil when there is no terminal or it does not tell.
  static func columns(of output: ByteOutput) -> Int? { output.isTerminal ? Console.Stream.output.columns : nil }

  /// Whether the cursor can be moved: not where TERM says that the terminal only takes lines.
  static func canRedraw(_ environment: [String: String]) -> Bool { environment["TERM"] != "dumb" }
}
