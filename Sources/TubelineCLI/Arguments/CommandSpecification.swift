import Telemetry
import WorkerApp

/// What a command is called and takes: the parser and the help text are made from it.
struct CommandSpecification: Sendable {
  struct Example: Sendable {
    let line: String
    let meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// Its words after `tubeline`: `topics create`.
  let name: String
  let summary: String
  /// How operands stand in the usage line: `NAME…`; empty when there are none.
  var operands = ""
  var options: [OptionSpecification] = []
  var settings: [Setting] = []
  /// What the command takes where one of its settings is not given, if that is not the setting's own default.
  var defaults: [Setting: String] = [:]
  /// Whether `--kafka-…` flags are taken although KAFKA_BOOTSTRAP_SERVERS is no setting of the command.
  var takesKafkaProperties = false
  var examples: [Example] = []
  /// Paragraphs below the options.
  var notes: [String] = []

  // Whoever may name a ledger may give its password.
  var taken: [Setting] {
    settings.flatMap { $0 == .quotaStore ? [$0, .quotaStorePassword, .quotaStorePasswordFile] : [$0] }
  }

  var parser: ArgumentParser {
    let takesKafka = takesKafkaProperties || settings.contains(.kafkaServers)
    var flags = Dictionary(uniqueKeysWithValues: taken.filter { !$0.isSecret || $0 == .quotaStore }.map { ($0.flag, $0.variable) })
    if settings.contains(.kafkaServers) && !options.contains(where: { $0.name == "--bootstrap-servers" }) {
      flags["--bootstrap-servers"] = Setting.kafkaServers.variable
    }
    return ArgumentParser(options: options, settingFlags: flags, takesKafkaProperties: takesKafka, takesNames: operands.contains("NAME"))
  }

  /// - Parameter width: columns of the text; command lines that can be copied stay whole.
  func help(width: Int = 80) -> String {
    var text = HelpText.paragraph("tubeline \(name): \(summary)", width: width) + "\nUsage: tubeline \(name)"
    if !options.isEmpty || !settings.isEmpty { text += " [--flag value]…" }
    if !operands.isEmpty { text += " \(operands)" }
    text += "\n"
    if !options.isEmpty { text += "\nOptions:\n" + Self.list(options.map { (Self.heading($0), $0.meaning) }, width) }
    if !settings.isEmpty {
      text += "\n" + HelpText.paragraph("Settings (environment variables, and flags of the same name):", width: width)
      text += Self.list(taken.map { ($0.variable, "\($0.meaning) [\($0.unit)] Default: \(fallback($0)).") }, width)
      if takesKafkaProperties || settings.contains(.kafkaServers) {
        let kafka = "Any property of librdkafka: KAFKA_SECURITY_PROTOCOL sets security.protocol."
        text += Self.list([("KAFKA_<PROPERTY>", kafka)], width)
      }
    }
    for note in notes { text += "\n" + HelpText.paragraph(note, width: width) }
    if !examples.isEmpty {
      text += "\nExamples:\n" + examples.map { "  \($0.line)\n" + HelpText.paragraph($0.meaning, width: width, indent: 6) }.joined()
    }
    return text + "\n" + HelpText.paragraph(Self.exitCodes(of: [self]), width: width)
  }

  private func fallback(_ setting: Setting) -> String {
    defaults[setting] ?? (setting.defaultText.isEmpty ? "none" : setting.defaultText)
  }

  private var canEndWithoutQuota: Bool { options.contains { $0.name == "--no-wait" } }

  /// Those that one of the commands can end with.
  static func exitCodes(of commands: [CommandSpecification]) -> String {
    let waiting = commands.filter(\.canEndWithoutQuota).map(\.name)
    let given = commands.count == 1 ? "--no-wait" : "\(waiting.joined(separator: ", ")) --no-wait"
    return "Exit codes: 0 done; 1 incomplete or failed; 2 usage" + (waiting.isEmpty ? "." : "; 75 quota used up and \(given) given.")
  }

  private static func heading(_ option: OptionSpecification) -> String {
    option.placeholder.map { "\(option.name) \($0)" } ?? option.name
  }

  private static func list(_ rows: [(name: String, meaning: String)], _ width: Int) -> String {
    HelpText.list(rows, column: 28, width: width)
  }
}
