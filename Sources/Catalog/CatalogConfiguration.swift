import Kafka
import Quota
import Telemetry
import WorkerApp

/// Everything that the catalogue is told from outside, read and checked.
struct CatalogConfiguration: Sendable {
  let kafka: KafkaConfiguration
  let topicPrefix: String
  let database: String
  let retention: Duration
  let token: String?
  let isReadOnly: Bool
  /// nil is any.
  let hosts: Set<String>?
  /// Complete, with the password if there is one: not for showing.
  let quotaStore: String
  let quotaPolicy: QuotaPolicy
  let httpHost: String
  let httpPort: Int
  let shutdownGrace: Duration
  let logLevel: LogLevel
  let logFormat: LogFormat

  private static let standardPort = 8090
  private static let day = 86_400

  init(_ settings: Settings, isTerminal: Bool) throws(SettingError) {
    let common = try AppConfiguration(settings, key: .unread, isTerminal: isTerminal)
    kafka = common.kafka
    topicPrefix = common.topicPrefix
    quotaStore = common.quotaStore
    quotaPolicy = common.quotaPolicy
    // A part of it is for the requests that are being answered, and for clients that say good-bye.
    shutdownGrace = common.worker.shutdownGrace / 2
    logLevel = common.logLevel
    logFormat = common.logFormat
    database = settings.text(.catalogDatabase) ?? StateFolder.path(settings.variables) + "/catalog.db"
    retention = try settings.duration(.catalogRetention, default: .seconds(29 * Self.day), in: .seconds(60) ... .seconds(30 * Self.day))
    isReadOnly = try Self.truth(settings, .catalogReadOnly)
    token = try Self.token(settings)
    httpHost = common.httpHost
    httpPort = try settings.number(.catalogPort, default: Self.standardPort, in: 0...65_535)
    let isLoopback = HostName.isLoopback(httpHost)
    guard isLoopback || isReadOnly || token != nil else {
      throw SettingError(
        Setting.catalogToken.variable,
        "is not set, and HTTP_HOST \(httpHost) is open to others, who could publish; set it, or CATALOG_READ_ONLY=true")
    }
    let named = try Self.hosts(settings)
    hosts = isLoopback ? HostName.loopback.union(named).union([HostName.name(httpHost)]) : named.isEmpty ? nil : named
  }

  // One that no browser ever sends would lock everybody out.
  private static func hosts(_ settings: Settings) throws(SettingError) -> Set<String> {
    var names: Set<String> = []
    for part in (settings.text(.catalogHosts) ?? "").split(separator: ",") {
      let host = part.filter { $0 != " " }
      if host.isEmpty { continue }
      guard HostName.isHost(host) else {
        throw SettingError(
          Setting.catalogHosts.variable,
          "\"\(VisibleText.of(host))\" is not allowed; allowed are names such as videos.example.org, and addresses (IPv6 in brackets)")
      }
      names.insert(HostName.name(host))
    }
    return names
  }

  private static func token(_ settings: Settings) throws(SettingError) -> String? {
    guard let (token, variable) = try settings.secret(.catalogToken, orFile: .catalogTokenFile) else { return nil }
    guard token.utf8.count >= AccessPolicy.shortestToken, token.utf8.count <= 4096, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw SettingError(
        variable,
        "holds no token: it has \(AccessPolicy.shortestToken) to 4096 visible ASCII characters; make one with: openssl rand -hex 24")
    }
    return token
  }

  private static func truth(_ settings: Settings, _ setting: Setting) throws(SettingError) -> Bool {
    guard let text = settings.text(setting) else { return false }
    guard let truth = SettingValue.boolean(text) else {
      throw SettingError(setting.variable, "\"\(VisibleText.of(text))\" is not allowed; allowed is true or false")
    }
    return truth
  }
}
