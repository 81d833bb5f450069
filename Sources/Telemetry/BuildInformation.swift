/// What `--version`, the User-Agent and the metric of the build tell.
public enum BuildInformation {
  public static let version = "0.1.0"
}
