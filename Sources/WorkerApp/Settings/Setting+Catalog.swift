extension Setting {
  public static let catalogDatabase = Setting(
    "CATALOG_DATABASE", default: "catalog.db in the state folder", unit: "path", "The catalogue's SQLite file.")
  public static let catalogRetention = Setting(
    "CATALOG_RETENTION", default: "29d", unit: "duration",
    "Records that were fetched longer ago are deleted; the API's terms allow 30 days. Likes stay.")
  public static let catalogToken = Setting(
    "CATALOG_TOKEN", default: "", unit: "text",
    "Who publishes or likes has to know it, 16 characters or more; needed beyond loopback. Never a flag.", isSecret: true)
  public static let catalogTokenFile = Setting(
    "CATALOG_TOKEN_FILE", default: "", unit: "path", "A file that holds it, instead of CATALOG_TOKEN.")
  public static let catalogReadOnly = Setting(
    "CATALOG_READ_ONLY", default: "false", unit: "true, false", "Nobody publishes or likes anything.")
  public static let catalogHosts = Setting(
    "CATALOG_HOSTS", default: "localhost on loopback, any beyond", unit: "name,…",
    "Further names under which browsers may ask for the page, such as that of a proxy.")
  public static let catalogHost = Setting("HTTP_HOST", default: "127.0.0.1", unit: "address", "Where the page and its API listen.")
  public static let catalogPort = Setting(
    "HTTP_PORT", default: "8090", unit: "port", "Their port, and that of /healthz, /readyz and /metrics; 0 is any free one.")

  /// Every setting of the catalogue, in the order of `--help`.
  public static let catalog: [Setting] = [
    kafkaServers, topicPrefix, catalogDatabase, catalogRetention, catalogToken, catalogTokenFile, catalogReadOnly, catalogHosts, quotaStore,
    quotaStorePassword, quotaStorePasswordFile, dailyUnits, dailySearches, shutdownGrace, catalogHost, catalogPort, logLevel, logFormat,
  ]
}
