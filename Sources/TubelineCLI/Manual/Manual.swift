import Messages
import Stages
import Telemetry
import WorkerApp
import YouTubeStub

/// The manual pages of all executables, made from the definitions that `--help` shows.
enum Manual {
  static var pages: [ManualPage] { [tool] + stages.map(worker) + [catalog, stub] }

  /// Stages that have an executable.
  static var stages: [StageName] { StageName.allCases.filter { StageOrder.row($0) != nil } }

  private static var names: [String] { ["tubeline"] + stages.map { "tubeline-\($0.rawValue)" } + ["tubeline-catalog", "youtube-stub"] }

  private static let exitCodes = [
    ("0", "Done."), ("1", "Incomplete or failed."), ("2", "The command line or a setting is wrong."),
    ("75", "The quota is used up and --no-wait was given."),
  ]

  private static var tool: ManualPage {
    var page = opened("tubeline", "COMMAND [--flag value]… [NAME…]", summary: "harvests YouTube channels over Apache Kafka")
    page.paragraph(
      "tubeline drives the pipeline and looks at it. Results go to standard output, everything else to standard error. Each command tells of "
        + "itself with --help.")
    page.section("Commands")
    for command in TubelineCLI.commands { describe(command.specification, on: &page) }
    let settings = TubelineCLI.commands.reduce(into: [Setting]()) { all, command in
      all += command.specification.taken.filter { !all.contains($0) }
    }
    page.section("Environment")
    page.paragraph("Every setting is also a flag of the same name, secrets excepted: TOPIC_PREFIX is --topic-prefix.")
    for setting in settings { describe(setting, on: &page) }
    describeKafka(on: &page)
    page.section("Exit status")
    for (code, meaning) in exitCodes { page.term(code, meaning: meaning) }
    seeAlso(on: &page, except: "tubeline")
    return page
  }

  private static func describe(_ command: CommandSpecification, on page: inout ManualPage) {
    page.subsection("tubeline \(command.name)\(command.operands.isEmpty ? "" : " \(command.operands)")")
    page.paragraph("It \(command.summary).")
    for note in command.notes { page.paragraph(note) }
    for option in command.options { page.term(option.name, option.placeholder, meaning: option.meaning) }
    if !command.settings.isEmpty {
      page.paragraph("Settings: \(command.taken.map(\.variable).joined(separator: ", ")).")
    }
    for example in command.examples { page.example(example.line, meaning: example.meaning) }
  }

  /// A page up to where its description begins.
  private static func opened(_ name: String, _ arguments: String, summary: String) -> ManualPage {
    var page = ManualPage(name, summary: summary)
    page.section("Synopsis")
    page.synopsis(name, arguments)
    page.section("Description")
    return page
  }

  private static func worker(_ stage: StageName) -> ManualPage {
    let name = "tubeline-\(stage.rawValue)"
    var page = opened(name, "[--flag value]…", summary: WorkerMain.purpose(stage))
    let inputs = StageOrder.row(stage)?.inputs.map(\.name).joined(separator: " and ") ?? ""
    let outputs = StageOrder.row(stage)?.outputs.map(\.name).joined(separator: ", ") ?? ""
    page.paragraph(
      "A worker of the \(stage.rawValue) stage. It reads \(inputs), publishes to \(outputs), and runs until it gets SIGTERM or SIGINT. Start as "
        + "many as the topics have partitions; all of them together stay inside the quota that the ledger QUOTA_STORE counts.")
    describe(Setting.worker, of: name, on: &page)
    return page
  }

  private static var catalog: ManualPage {
    let name = "tubeline-catalog"
    var page = opened(name, "[--flag value]…", summary: WorkerMain.catalogPurpose)
    page.paragraph(
      "It reads what the pipeline publishes into a SQLite file, and serves a page, an API and /healthz, /readyz and /metrics on one port. The "
        + "first line of standard output is the page's address. It runs until it gets SIGTERM or SIGINT. One is enough: each has a file of its "
        + "own.")
    describe(Setting.catalog, of: name, on: &page)
    return page
  }

  private static var stub: ManualPage {
    let name = "youtube-stub"
    var page = opened(name, "[--port N] [options]", summary: StubConfiguration.purpose)
    for note in StubConfiguration.notes { page.paragraph(note) }
    page.section("Options")
    for option in StubOption.all { page.term(option.flag, option.placeholder, meaning: sentence(option.meaning)) }
    page.term("--help, --version", meaning: "Tells the same, or the version.")
    end(on: &page, of: name)
    return page
  }

  private static func sentence(_ meaning: String) -> String { meaning.prefix(1).uppercased() + meaning.dropFirst() + "." }

  private static func describe(_ settings: [Setting], of name: String, on page: inout ManualPage) {
    page.section("Environment")
    page.paragraph(
      "Every setting is an environment variable, and a flag of the same name, secrets excepted: KAFKA_BOOTSTRAP_SERVERS is "
        + "--kafka-bootstrap-servers. Durations: 250ms, 20s, 5m, 1h, 30d; a bare number is seconds.")
    for setting in settings { describe(setting, on: &page) }
    describeKafka(on: &page)
    end(on: &page, of: name)
  }

  private static func end(on page: inout ManualPage, of name: String) {
    page.section("Exit status")
    for (code, meaning) in [("0", "Stopped by a signal."), ("1", "It cannot go on."), ("2", "A setting is wrong.")] {
      page.term(code, meaning: meaning)
    }
    seeAlso(on: &page, except: name)
  }

  private static func describe(_ setting: Setting, on page: inout ManualPage) {
    let fallback = setting.defaultText.isEmpty ? "none" : setting.defaultText
    page.term(setting.variable, setting.unit, meaning: "\(setting.meaning) Default: \(fallback).")
  }

  private static func describeKafka(on page: inout ManualPage) {
    page.term(
      "KAFKA_<PROPERTY>", meaning: "Any property of librdkafka, dots as underscores: KAFKA_SECURITY_PROTOCOL sets security.protocol.")
  }

  private static func seeAlso(on page: inout ManualPage, except name: String) {
    page.section("See also")
    page.paragraph(names.filter { $0 != name }.map { "\($0)(1)" }.joined(separator: ", "))
  }
}
