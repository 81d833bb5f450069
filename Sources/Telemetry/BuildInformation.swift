/// What `--version`, the User-Agent and the metric of the build tell.
public enum BuildInformation {
  public static let version = "0.1.0"
  /// When the version was made, as its manual pages say.
  public static let date = "2026-11-30"
}
