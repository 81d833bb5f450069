import Messages
import Stages
import Telemetry
import WorkerApp

/// The manual pages of `tubeline` and of the workers, made from the definitions that `--help` shows.
enum Manual {
  static var pages: [ManualPage] { [tool] + stages.map(worker) }

  /// Stages that have an executable.
  static var stages: [StageName] { StageName.allCases.filter { StageOrder.row($0) != nil } }

  private static let exitCodes = [
    ("0", "Done."), ("1", "Incomplete or failed."), ("2", "The command line or a setting is wrong."),
    ("75", "The quota is used up and --no-wait was given."),
  ]

  private static var tool: ManualPage {
    var page = ManualPage("tubeline", summary: "harvests YouTube channels over Apache Kafka")
    page.section("Synopsis")
    page.synopsis("tubeline", "COMMAND [--flag value]… [NAME…]")
    page.section("Description")
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

  private static func worker(_ stage: StageName) -> ManualPage {
    let name = "tubeline-\(stage.rawValue)"
    var page = ManualPage(name, summary: WorkerMain.purpose(stage))
    page.section("Synopsis")
    page.synopsis(name, "[--flag value]…")
    page.section("Description")
    let inputs = StageOrder.row(stage)?.inputs.map(\.name).joined(separator: " and ") ?? ""
    let outputs = StageOrder.row(stage)?.outputs.map(\.name).joined(separator: ", ") ?? ""
    page.paragraph(
      "A worker of the \(stage.rawValue) stage. It reads \(inputs), publishes to \(outputs), and runs until it gets SIGTERM or SIGINT. Start as "
        + "many as the topics have partitions; all of them together stay inside the quota that the ledger QUOTA_STORE counts.")
    page.section("Environment")
    page.paragraph(
      "Every setting is an environment variable, and a flag of the same name, secrets excepted: KAFKA_BOOTSTRAP_SERVERS is "
        + "--kafka-bootstrap-servers. Durations: 250ms, 20s, 5m, 1h, 30d; a bare number is seconds.")
    for setting in Setting.worker { describe(setting, on: &page) }
    describeKafka(on: &page)
    page.section("Exit status")
    for (code, meaning) in [("0", "Stopped by a signal."), ("1", "It cannot go on."), ("2", "A setting is wrong.")] {
      page.term(code, meaning: meaning)
    }
    seeAlso(on: &page, except: name)
    return page
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
    let names = ["tubeline"] + stages.map { "tubeline-\($0.rawValue)" }
    page.paragraph(names.filter { $0 != name }.map { "\($0)(1)" }.joined(separator: ", "))
  }
}
