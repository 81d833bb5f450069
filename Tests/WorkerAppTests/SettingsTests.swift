import Testing

@testable import WorkerApp

@Suite("Settings", .timeLimit(.minutes(1)))
struct SettingsTests {
  @Test(arguments: [
    ("250ms", 250), ("20s", 20_000), ("5m", 300_000), ("1h", 3_600_000), ("2d", 172_800_000), ("3", 3000), ("0", 0), ("1.5s", 1500),
    ("0.5m", 30_000),
  ])
  func durationsAreRead(text: String, milliseconds: Int) { #expect(SettingValue.duration(text) == .milliseconds(milliseconds)) }

  @Test(arguments: ["", "s", "ms", "-1s", "1 s", "1S", "1e3", "1.", ".5s", "1..2s", "5min", "0x5", "∞", "99999d", "1s2", "+1s"])
  func otherDurationsAreNone(text: String) { #expect(SettingValue.duration(text) == nil) }

  @Test(arguments: [("0", 0), ("250ms", 250), ("90s", 90_000), ("1h", 3_600_000), ("30d", 30 * 86_400_000), ("1500ms", 1500)])
  func durationsAreToldAsTheyAreWritten(text: String, milliseconds: Int) {
    #expect(SettingValue.text(.milliseconds(milliseconds)) == text && SettingValue.duration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [("512kB", 512_000), ("16MB", 16_000_000), ("1GB", 1_000_000_000), ("7", 7), ("7B", 7), ("1.5kB", 1500)])
  func sizesAreRead(text: String, bytes: Int) { #expect(SettingValue.size(text) == bytes) }

  @Test(arguments: ["", "kB", "-1", "1KB", "1 MB", "1e3", "1TB", "MB1"])
  func otherSizesAreNone(text: String) { #expect(SettingValue.size(text) == nil) }

  @Test(arguments: [("true", true), ("false", false), ("TRUE", nil), ("1", nil), ("", nil), ("yes", nil)])
  func booleansAreTwoWords(text: String, value: Bool?) { #expect(SettingValue.boolean(text) == value) }

  private func flags(_ arguments: String...) throws(SettingError) -> WorkerFlags.Request { try WorkerFlags.parse(arguments) }

  @Test func everySettingIsAFlagOfTheSameName() throws {
    #expect(Setting.kafkaServers.flag == "--kafka-bootstrap-servers")
    #expect(
      try flags("--kafka-bootstrap-servers", "a:1", "--topic-prefix=x=y", "--kafka-security-protocol", "ssl")
        == .run(["KAFKA_BOOTSTRAP_SERVERS": "a:1", "TOPIC_PREFIX": "x=y", "KAFKA_SECURITY_PROTOCOL": "ssl"]))
    #expect(try flags() == .run([:]))
    #expect(try flags("--topic-prefix=\u{301}") == .run(["TOPIC_PREFIX": "\u{301}"]))
    #expect(try flags("--help") == .help)
    #expect(try flags("--version") == .version)
  }

  @Test func aWrongValueMovesNoCursor() {
    #expect("\(SettingError(.pacing, value: "\u{1B}[2J\u{202E}", allowed: "even"))".contains("\"␛[2J<U+202E>\" is not allowed"))
  }

  @Test(arguments: [["--nonsense", "1"], ["word"], ["--log-level"], ["--youtube-api-key", "SECRET"], ["--youtube-api-key=SECRET"]])
  func wrongFlagsAreNamedWithoutTheKey(arguments: [String]) {
    #expect { try WorkerFlags.parse(arguments) } throws: { error in
      "\(error)".contains(arguments[0].prefix(17)) && !"\(error)".contains("SECRET")
    }
  }

  @Test func aMistypedFlagIsPutRight() {
    let error = #expect(throws: SettingError.self) { try WorkerFlags.parse(["--quota-stor", "x"]) }
    #expect(error?.description == "--quota-stor: there is no such flag. Did you mean --quota-store?")
  }

  @Test func aFlagIsStrongerThanTheEnvironmentAndAnEmptyValueIsNone() {
    let settings = Settings(environment: ["LOG_LEVEL": "debug", "TOPIC_PREFIX": ""], flags: ["LOG_LEVEL": "error"])
    #expect(settings.text(.logLevel) == "error")
    #expect(settings.text(.topicPrefix) == nil)
    #expect(settings.variables["LOG_LEVEL"] == "error")
  }

  @Test func aMistypedVariableIsToldWithoutItsValue() {
    let others = ["PATH": "/bin", "KAFKA_LINGER_MS": "5", "HTTP_PROXY": "x", "LOG_DIR": "y", "OTEL_SERVICE_NAME": "z"]
    #expect(Settings(environment: others.merging(["WORKER_CONCURRENCY": "4"]) { $1 }).suspicions().isEmpty)
    let settings = Settings(environment: others.merging(["WORKER_CONCURENCY": "SECRET", "QUOTA_OF_MY_OWN_THINGS": "SECRET"]) { $1 })
    #expect(
      settings.suspicions() == ["QUOTA_OF_MY_OWN_THINGS is no setting", "WORKER_CONCURENCY is no setting; WORKER_CONCURRENCY is one"])
  }

  private func configuration(_ environment: [String: String], key: AppConfiguration.KeyUse = .required) throws(SettingError)
    -> AppConfiguration
  {
    let base = ["YOUTUBE_API_KEY": "AIzaKEY", "QUOTA_STORE": "sqlite:///tmp/tubeline-settings-test.db"]
    return try AppConfiguration(Settings(environment: base.merging(environment) { _, new in new }), key: key, isTerminal: false)
  }

  @Test func theDefaultsAreTheContracts() throws {
    let configuration = try configuration([:])
    #expect(configuration.guarantee == .exactlyOnce)
    #expect(configuration.worker.shutdownGrace == .seconds(25))
    #expect(configuration.worker.stoppedDelay == .seconds(30))
    #expect(configuration.httpHost == "127.0.0.1")
    #expect(configuration.httpPort == nil)
    #expect(configuration.quotaPolicy.limits == [.default: 10_000, .search: 100])
    #expect(configuration.logFormat == .json)
    #expect(configuration.api.apiKey.reveal() == "AIzaKEY")
  }

  @Test(arguments: [
    ("WORKER_CONCURRENCY", "0"), ("WORKER_CONCURRENCY", "many"), ("SHUTDOWN_GRACE", "-5s"), ("SHUTDOWN_GRACE", "2d"),
    ("RETRY_ATTEMPTS", "0"), ("RETRY_STOPPED_DELAY", "0"), ("RETRY_STOPPED_DELAY", "2d"),
    ("RETRY_DELAY", "soon"), ("WORKER_GUARANTEE", "at-most-once"), ("LOG_LEVEL", "loud"), ("LOG_FORMAT", "xml"), ("HTTP_PORT", "70000"),
    ("QUOTA_PACING", "slow"), ("QUOTA_DAILY_UNITS", "-1"), ("QUOTA_RESERVE", "x"), ("TOPIC_PREFIX", "a b"),
    ("QUOTA_ON_DATA_LOSS", "ignore"),
    ("REFRESH_LOOKBACK", "-1"), ("REFRESH_LOOKBACK", "1001"), ("REFRESH_FULL_PASS_AFTER", "soon"), ("REFRESH_FULL_PASS_AFTER", "0"),
    ("WATERMARK_SCOPE", "a:b"), ("WATERMARK_PENDING_SCOPE", "a b"),
    ("YOUTUBE_API_KEY_PLACEMENT", "body"), ("YOUTUBE_API_URL", "ftp://x"), ("YOUTUBE_API_TIMEOUT", "1ms"),
  ])
  func aWrongValueNamesVariableAndValue(variable: String, value: String) {
    #expect { try configuration([variable: value]) } throws: { error in
      (error as? SettingError)?.variable == variable && "\(error)".contains("\"\(value)\"") && !"\(error)".contains("AIzaKEY")
    }
  }

  @Test func refreshesAreSetByTheirOwnVariables() throws {
    let usual = try configuration(["TOPIC_PREFIX": "p-"])
    #expect(usual.refresh.lookBack == 25 && usual.refresh.fullPassAfter == nil)
    #expect(usual.watermarkScope == "p-" && usual.watermarkPendingScope == "p-")
    let own = try configuration([
      "REFRESH_LOOKBACK": "0", "REFRESH_FULL_PASS_AFTER": "30d", "WATERMARK_SCOPE": "s", "WATERMARK_PENDING_SCOPE": "t",
    ])
    #expect(own.refresh.lookBack == 0 && own.refresh.fullPassAfter == .seconds(30 * 86_400))
    #expect(own.watermarkScope == "s" && own.watermarkPendingScope == "t")
    #expect(try configuration(["REFRESH_FULL_PASS_AFTER": "off"]).refresh.fullPassAfter == nil)
  }

  @Test func aStoppedStageLooksAsOftenAsItIsTold() throws {
    #expect(try configuration(["RETRY_STOPPED_DELAY": "5m"]).worker.stoppedDelay == .seconds(300))
    #expect(Setting.retryStoppedDelay.flag == "--retry-stopped-delay")
  }

  @Test(arguments: ["two words", "line\nbreak", "ümlaut", String(repeating: "k", count: 201)])
  func aWrongKeyIsNeverShown(key: String) {
    #expect { try configuration(["YOUTUBE_API_KEY": key]) } throws: { error in
      (error as? SettingError)?.variable == "YOUTUBE_API_KEY" && !"\(error)".contains(key)
    }
  }

  @Test func aMissingKeyOrKeyFileSaysWhatToSet() {
    #expect { try configuration(["YOUTUBE_API_KEY": ""]) } throws: {
      "\($0)".hasPrefix("YOUTUBE_API_KEY is not set; ") && "\($0)".contains("YOUTUBE_API_KEY_FILE")
    }
    #expect { try configuration(["YOUTUBE_API_KEY": "", "YOUTUBE_API_KEY_FILE": "/nowhere/key"]) } throws: {
      "\($0)".contains("/nowhere/key")
    }
    #expect(throws: Never.self) { try configuration(["YOUTUBE_API_KEY": ""], key: .optional) }
    #expect(throws: Never.self) { try configuration(["YOUTUBE_API_KEY_FILE": "/missing"], key: .unread) }
  }

  @Test func everySettingIsInTheHelpAndNoSecretIsADefault() {
    let help = SettingsHelp.text(program: "tubeline-channels", purpose: "p")
    let words = help.split { $0 == " " || $0.isNewline }.joined(separator: " ")
    for setting in Setting.worker { #expect(words.contains("\(setting.variable) \(setting.meaning)"), "\(setting.variable)") }
    #expect(Setting.apiKey.isSecret && Setting.quotaStore.isSecret)
    #expect(Set(Setting.worker.map(\.variable)).count == Setting.worker.count)
  }

  @Test(arguments: [60, 80, 100]) func theHelpOfWorkersFits(width: Int) {
    for settings in [Setting.worker, Setting.catalog] {
      let help = SettingsHelp.text(program: "tubeline-catalog", purpose: "does what it does", settings: settings, width: width)
      for line in help.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
    }
  }
}
