import Testing
import WorkerApp

@testable import TubelineCLI

@Suite("Argument parser", .timeLimit(.minutes(1)))
struct ArgumentParserTests {
  private let specification = CommandSpecification(
    name: "test", summary: "tests", operands: "NAME…",
    options: [
      OptionSpecification("--max-videos", "N", "A number."), OptionSpecification("--end", "A switch."),
      OptionSpecification("--published-after", "TIME", "A time."),
    ],
    settings: [.kafkaServers, .topicPrefix, .apiKey, .quotaStore])

  private func parse(_ arguments: String...) throws -> ParsedArguments { try specification.parser.parse(arguments) }

  @Test func valuesStandBehindTheFlagOrBehindAnEqualsSign() throws {
    #expect(try parse("--max-videos", "5").values == ["--max-videos": "5"])
    #expect(try parse("--max-videos=5").values == ["--max-videos": "5"])
    #expect(try parse("--max-videos=").values == ["--max-videos": ""])
    #expect(try parse("--max-videos=\u{301}").values == ["--max-videos": "\u{301}"])
    #expect(try parse("--max-videos", "-").values == ["--max-videos": "-"])
  }

  @Test func operandsAndFlagsMix() throws {
    let parsed = try parse("Apple", "--end", "@Google", "-")
    #expect(parsed.operands == ["Apple", "@Google", "-"])
    #expect(parsed.has("--end"))
  }

  @Test func everythingBehindTwoDashesIsAnOperand() throws {
    #expect(try parse("--", "--end", "-x", "--").operands == ["--end", "-x", "--"])
  }

  @Test func settingsAreFlagsOfTheSameName() throws {
    let parsed = try parse("--topic-prefix", "a-", "--kafka-security-protocol=ssl", "--bootstrap-servers", "b:1", "--quota-store=sqlite:q")
    #expect(
      parsed.settings == [
        "TOPIC_PREFIX": "a-", "KAFKA_SECURITY_PROTOCOL": "ssl", "KAFKA_BOOTSTRAP_SERVERS": "b:1", "QUOTA_STORE": "sqlite:q",
      ])
  }

  @Test(arguments: [
    (["--max-vidoes", "3"], "Did you mean --max-videos?"), (["--end=true"], "takes no value"), (["--max-videos"], "needs a value"),
    (["-x"], "goes after --"), (["--youtube-api-key", "k"], "process lists show flags"), (["--completely-else"], "There is no flag"),
  ])
  func mistakesAreNamed(arguments: [String], hint: String) {
    let error = #expect(throws: UsageError.self) { try specification.parser.parse(arguments) }
    #expect(error?.description.contains(hint) == true)
  }

  @Test(arguments: [
    ["--youtube-api-key=hunter2"], ["--quota-store-password", "hunter2"], ["--kafka-sasl-password", "hunter2"],
    ["--kafka-ssl-key-password=hunter2"], ["--quota-store", "redis://u:hunter2@h"], ["--quota-store=unix://:hunter2@/s"],
  ])
  func aSecretIsNoFlagAndIsNotShown(arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try specification.parser.parse(arguments) }
    #expect(error.map { "\($0)".contains("process lists show flags") && !"\($0)".contains("hunter2") } == true)
  }

  @Test func whereASecretLiesMayBeAFlag() throws {
    let parsed = try parse("--quota-store", "redis://u@h/0", "--quota-store-password-file", "/p", "--kafka-sasl-password-file=/s")
    #expect(
      parsed.settings == ["QUOTA_STORE": "redis://u@h/0", "QUOTA_STORE_PASSWORD_FILE": "/p", "KAFKA_SASL_PASSWORD_FILE": "/s"])
  }

  @Test func namesAreSpokenOfOnlyWhereTheyAreTaken() {
    let error = #expect(throws: UsageError.self) { try BrokerCommand.specification.parser.parse(["--port", "9092"]) }
    #expect(error?.description == "There is no flag --port.")
  }

  @Test(arguments: [
    (["--since", "yesterday"], "--since must be \"last\"; it is \"yesterday\"."),
    (["--format", "table"], "--format must be one of jsonl, csv; it is \"table\"."),
    (["--format", "xml"], "--format must be one of jsonl, csv; it is \"xml\"."),
  ])
  func allowedWordsAreNamed(arguments: [String], sentence: String) {
    let error = #expect(throws: UsageError.self) {
      try HarvestOptions(try HarvestCommand.specification.parser.parse(arguments), environment: [:], isTerminal: false)
    }
    #expect(error?.description == sentence)
  }

  @Test func helpIsAskedForAnywhere() throws {
    #expect(try parse("Apple", "--help").wantsHelp)
    #expect(try parse("-h").wantsHelp)
  }

  @Test func numbersAndTimesAreChecked() throws {
    #expect(try parse("--max-videos", "7").number("--max-videos", in: 1...10) == 7)
    #expect(throws: UsageError.self) { try parse("--max-videos", "11").number("--max-videos", in: 1...10) }
    #expect(throws: UsageError.self) { try parse("--max-videos", "x").number("--max-videos", in: 1...10) }
    #expect(try parse("--published-after", "2026-01-31").time("--published-after")?.timeIntervalSince1970 == 1_769_817_600)
    #expect(try parse("--published-after", "2026-01-31T01:00:00+01:00").time("--published-after")?.timeIntervalSince1970 == 1_769_817_600)
    #expect(throws: UsageError.self) { try parse("--published-after", "31.1.2026").time("--published-after") }
  }

  @Test(arguments: [
    (["broker", "--partitions", "2"], "broker"), (["topics", "create"], "topics create"), (["quota"], "quota show"),
    (["quota", "--format", "json"], "quota show"), (["quota", "set", "default", "1"], "quota set"),
  ])
  func commandsAreFoundByTheirWords(arguments: [String], name: String) {
    guard case .command(let command, _) = CommandLookup.find(arguments, among: TubelineCLI.commands) else {
      Issue.record("no command")
      return
    }
    #expect(command.specification.name == name)
  }

  @Test(arguments: [
    (["harvset"], "Did you mean \"harvest\"?"), (["topics", "creat"], "Did you mean \"topics create\"?"),
    (["topcs"], "Did you mean \"topics\"?"),
    (["xyzzy"], "There is no command \"xyzzy\"."), ([], "Usage: tubeline COMMAND"), (["topics"], "topics describe"),
  ])
  func unknownCommandsAreAMistakeWithAHint(arguments: [String], hint: String) {
    guard case .mistake(let text) = CommandLookup.find(arguments, among: TubelineCLI.commands) else {
      Issue.record("no mistake")
      return
    }
    #expect(text.contains(hint))
  }

  @Test func everyCommandHasAnExampleAndTheExitCodesInItsHelp() {
    for command in TubelineCLI.commands {
      let help = command.specification.help()
      #expect(help.contains("Examples:") && help.contains("Exit codes:"), "\(command.specification.name)")
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 140 }, "\(command.specification.name)")
    }
  }

  @Test func aNegativeNumberIsNoFlag() throws {
    #expect(try QuotaSetCommand.specification.parser.parse(["default", "-5"]).operands == ["default", "-5"])
    #expect(throws: UsageError.self) { try QuotaSetCommand.specification.parser.parse(["default", "-five"]) }
    #expect(throws: UsageError.self) { try parse("-5") }
  }

  @Test func problemsOfASearchNameFlags() throws {
    func problem(_ arguments: String...) -> String? {
      do {
        _ = try SearchOptions(try SearchCommand.specification.parser.parse(arguments), environment: [:])
        return nil
      } catch { return "\(error)" }
    }
    #expect(problem("x", "--type", "channel", "--video-duration", "long") == "--video-duration needs --type video and no other type.")
    #expect(problem() == "A search needs words to search for, or one of --channel-id, --topic-id, --location, --event-type to go by.")
    #expect(
      problem("x", "--published-after", "2026-02-01", "--published-before", "2026-01-01")
        == "--published-after must be before --published-before.")
    #expect(problem("x", "--type", "video", "--location", "1,2") == "--location and --location-radius need each other.")
    #expect(problem("two\nlines") == "The query holds line breaks or other control characters.")
    #expect(problem("x", "--scope", "video") == "--scope of a search must be details or uploads.")
  }
}
