import Foundation
import Testing

@testable import WorkerApp

/// Where secrets come from, and where they must not be seen.
@Suite("Secret settings", .timeLimit(.minutes(1)))
final class SecretSettingsTests {
  private let folder: URL
  private static let secret = "hunter2-s3cret"

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ content: String) throws -> String {
    let path = folder.appending(path: "\(UInt64.random(in: .min ... .max))").path
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func configuration(_ environment: [String: String]) throws(SettingError) -> AppConfiguration {
    let base = environment["YOUTUBE_API_KEY_FILE"] == nil ? ["YOUTUBE_API_KEY": "AIzaKEY"] : [:]
    let settings = Settings(environment: base.merging(environment) { _, new in new }, flags: [:])
    return try AppConfiguration(settings, isTerminal: false)
  }

  private static let fileVariables = [
    "YOUTUBE_API_KEY_FILE", "QUOTA_STORE_PASSWORD_FILE", "KAFKA_SASL_PASSWORD_FILE", "KAFKA_SSL_KEY_PASSWORD_FILE",
    "KAFKA_SSL_KEYSTORE_PASSWORD_FILE", "KAFKA_SSL_KEY_PEM_FILE",
  ]

  private func value(of variable: String, _ configuration: AppConfiguration) -> String? {
    switch variable {
    case "YOUTUBE_API_KEY_FILE": configuration.api.apiKey.reveal()
    case "QUOTA_STORE_PASSWORD_FILE": String(configuration.quotaStore.dropFirst("redis://:".count).prefix { $0 != "@" })
    case "KAFKA_SASL_PASSWORD_FILE": configuration.kafka.properties["sasl.password"]
    case "KAFKA_SSL_KEY_PASSWORD_FILE": configuration.kafka.properties["ssl.key.password"]
    case "KAFKA_SSL_KEYSTORE_PASSWORD_FILE": configuration.kafka.properties["ssl.keystore.password"]
    default: configuration.kafka.properties["ssl.key.pem"]
    }
  }

  private func environment(_ variable: String, _ path: String) -> [String: String] {
    var environment = [variable: path, "QUOTA_STORE": "redis://cache/0"]
    // A key needs its certificate; what both hold is looked at when a client is made.
    if variable == "KAFKA_SSL_KEY_PEM_FILE" { environment["KAFKA_SSL_CERTIFICATE_PEM"] = "certificate" }
    return environment
  }

  @Test(arguments: fileVariables, ["", "\n", "\r\n"])
  func aFileHoldsTheSecretWithoutItsLastNewline(variable: String, end: String) throws {
    let configuration = try configuration(environment(variable, try file("hunter2" + end)))
    #expect(value(of: variable, configuration) == "hunter2")
  }

  @Test func onlyTheLastNewlineIsTakenAway() throws {
    let path = try file(" two words \n\n")
    #expect(try configuration(["KAFKA_SASL_PASSWORD_FILE": path]).kafka.properties["sasl.password"] == " two words \n")
  }

  @Test(arguments: fileVariables)
  func aFileThatCannotBeReadIsNamedWithItsVariable(variable: String) throws {
    for (path, reason) in [
      (folder.path + "/none", "No such file"), (folder.path, "Is a directory"), (try file(""), "empty"), (try file(" \n"), "empty"),
      (try file(String(repeating: "x", count: 2 << 20)), "larger"), (try file("a\0b"), "no text"),
    ] {
      let error = #expect(throws: SettingError.self) { try configuration(environment(variable, path)) }
      #expect(error?.variable == variable)
      #expect(error?.reason.contains(path) == true && error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
  }

  @Test(arguments: fileVariables)
  func aSecretThatIsGivenTwiceIsAnError(variable: String) throws {
    var environment = environment(variable, try file("hunter2"))
    environment[String(variable.dropLast(5))] = Self.secret
    let error = #expect(throws: SettingError.self) { try configuration(environment) }
    #expect(error?.variable == variable)
    #expect(error?.reason.contains(variable.dropLast(5)) == true && error?.reason.contains(Self.secret) == false)
    // An empty variable is none.
    environment[String(variable.dropLast(5))] = ""
    #expect(try value(of: variable, configuration(environment)) == "hunter2")
  }

  @Test(arguments: [
    ("redis://cache:1/2", "redis://:p%40%3A%2F%25@cache:1/2"), ("redis://worker@cache", "redis://worker:p%40%3A%2F%25@cache"),
    ("redis://worker:@cache", "redis://worker:p%40%3A%2F%25@cache"),
    ("unix:///run/a@b.sock?db=1", "unix://:p%40%3A%2F%25@/run/a@b.sock?db=1"),
    ("unix://worker@/run/s", "unix://worker:p%40%3A%2F%25@/run/s"),
  ])
  func thePasswordOfTheLedgerIsPutIntoItsAddress(address: String, complete: String) throws {
    #expect(try configuration(["QUOTA_STORE": address, "QUOTA_STORE_PASSWORD": "p@:/%"]).quotaStore == complete)
  }

  @Test(arguments: [nil, "sqlite:///tmp/q.db", "redis://u:other@cache/0", "redis://:other@cache", "unix://u:other@/run/s"])
  func aPasswordThatFitsNoLedgerIsAnErrorWithoutIt(address: String?) {
    var environment = ["QUOTA_STORE_PASSWORD": Self.secret]
    environment["QUOTA_STORE"] = address
    let error = #expect(throws: SettingError.self) { try configuration(environment) }
    #expect(error?.variable == "QUOTA_STORE_PASSWORD")
    #expect(error?.reason.contains("QUOTA_STORE") == true)
    #expect(error.map { !"\($0)".contains(Self.secret) && !"\($0)".contains("other") } == true)
  }

  @Test(arguments: [
    ["--youtube-api-key", secret], ["--youtube-api-key=\(secret)"], ["--quota-store-password", secret],
    ["--kafka-sasl-password=\(secret)"], ["--kafka-ssl-key-password", secret], ["--kafka-ssl-key-pem", secret],
    ["--kafka-sasl-oauthbearer-client-secret", secret], ["--quota-store", "redis://u:\(secret)@h"],
    ["--quota-store=redis://:\(secret)@h"], ["--quota-store", "unix://u:\(secret)@/run/s"], ["YOUTUBE_API_KEY=\(secret)"],
  ])
  func aSecretIsNoFlag(arguments: [String]) {
    let error = #expect(throws: SettingError.self) { try WorkerFlags.parse(arguments) }
    #expect(error.map { !"\($0)".contains(Self.secret) && "\($0)".contains("flags") } == true)
  }

  @Test(arguments: [
    ["--youtube-api-key-file", "/k"], ["--quota-store-password-file", "/p"], ["--kafka-sasl-password-file", "/s"],
    ["--quota-store", "redis://u@h/0"], ["--kafka-sasl-username", "u"], ["--kafka-ssl-key-location", "/k.pem"],
  ])
  func thePathOfASecretIsAFlag(arguments: [String]) throws {
    #expect(try WorkerFlags.parse(arguments) == .run([arguments[0].dropFirst(2).uppercased().replacing("-", with: "_"): arguments[1]]))
  }

  @Test(arguments: [
    ["YOUTUBE_API_URL": "https://u:\(secret)@example.org"], ["YOUTUBE_API_URL": "https://example.org?key=\(secret)"],
    ["TOPIC_PREFIX": "redis://u:\(secret)@h"], ["TOPIC_PREFIX": "u:\(secret)@h:6379"], ["KAFKA_BOOTSTRAP_SERVERS": "u:\(secret)@b:9092"],
    ["HTTP_PORT": "redis://u:a@\(secret)@h"], ["HTTP_PORT": "redis://u:\(secret)@\u{301}h"], ["QUOTA_PACING": "https://x/y?key=\(secret)"],
    ["YOUTUBE_API_KEY": "\(secret) \(secret)"],
  ])
  func anErrorShowsAddressesWithoutTheirSecrets(environment: [String: String]) {
    let error = #expect(throws: SettingError.self) { try configuration(environment) }
    #expect(error?.variable == environment.keys.first)
    #expect(error.map { !"\($0)".contains(Self.secret) } == true)
  }

  @Test(arguments: [
    (["KAFKA_SASL_MECHANISM": "SCRAM"], "KAFKA_SASL_MECHANISM", "SCRAM-SHA-512"),
    (["KAFKA_SASL_MECHANISMS": "plain", "KAFKA_SECURITY_PROTOCOL": "sasl_ssl"], "KAFKA_SASL_MECHANISMS", "PLAIN"),
    (["KAFKA_SECURITY_PROTOCOL": "sasl_ssl"], "KAFKA_SASL_MECHANISM", "SCRAM-SHA-256"),
    (
      ["KAFKA_SECURITY_PROTOCOL": "SASL_SSL", "KAFKA_SASL_MECHANISM": "PLAIN", "KAFKA_SASL_PASSWORD": secret], "KAFKA_SASL_USERNAME",
      "PLAIN"
    ),
    (["KAFKA_SECURITY_PROTOCOL": "sasl_ssl", "KAFKA_SASL_MECHANISM": "PLAIN", "KAFKA_SASL_USERNAME": "u"], "KAFKA_SASL_PASSWORD", "PLAIN"),
    (["KAFKA_SASL_MECHANISM": "OAUTHBEARER"], "KAFKA_SASL_MECHANISM", "tokens"),
    (["KAFKA_SSL_CA_LOCATION": "/nowhere/ca.pem"], "KAFKA_SSL_CA_LOCATION", "/nowhere/ca.pem"),
    (["KAFKA_SSL_KEY_LOCATION": "/nowhere/key.pem"], "KAFKA_SSL_KEY_LOCATION", "/nowhere/key.pem"),
    (["KAFKA_SSL_CERTIFICATE_LOCATION": "/etc/hostname"], "KAFKA_SSL_CERTIFICATE_LOCATION", "KAFKA_SSL_KEY_LOCATION"),
    (["KAFKA_SSL_KEY_PEM": secret], "KAFKA_SSL_KEY_PEM", "KAFKA_SSL_CERTIFICATE_LOCATION"),
    (["KAFKA_SSL_KEYSTORE_LOCATION": "/etc/hostname"], "KAFKA_SSL_KEYSTORE_LOCATION", "KAFKA_SSL_KEYSTORE_PASSWORD"),
    (["KAFKA_SECURITY_PROTOCOL": "tls"], "KAFKA_SECURITY_PROTOCOL", "tls"),
    (["KAFKA_SASL_PASWORD_FILE": "/nowhere"], "KAFKA_SASL_PASWORD_FILE", "no such property"),
  ])
  func aWrongSecuritySettingOfKafkaNamesVariableAndWay(environment: [String: String], variable: String, way: String) {
    let error = #expect(throws: SettingError.self) { try configuration(environment) }
    #expect(error?.variable == variable, "\(error?.description ?? "")")
    #expect(error?.reason.contains(way) == true && error?.reason.contains(Self.secret) == false, "\(error?.description ?? "")")
  }

  @Test func securitySettingsOfKafkaPassThrough() throws {
    let properties = try configuration([
      "KAFKA_SECURITY_PROTOCOL": "sasl_ssl", "KAFKA_SASL_MECHANISM": "SCRAM-SHA-512", "KAFKA_SASL_USERNAME": "u",
      "KAFKA_SASL_PASSWORD_FILE": try file("p\n"), "KAFKA_SSL_CA_LOCATION": "/etc/hostname",
      "KAFKA_SSL_ENDPOINT_IDENTIFICATION_ALGORITHM": "https",
    ]).kafka.properties
    #expect(properties["security.protocol"] == "sasl_ssl" && properties["sasl.mechanism"] == "SCRAM-SHA-512")
    #expect(properties["sasl.username"] == "u" && properties["sasl.password"] == "p" && properties["ssl.ca.location"] == "/etc/hostname")
    #expect(properties["sasl.password.file"] == nil)
  }
}
