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

  var help: String {
    var text = "tubeline \(name): \(summary)\n\nUsage: tubeline \(name)"
    if !options.isEmpty || !settings.isEmpty { text += " [--flag value]…" }
    if !operands.isEmpty { text += " \(operands)" }
    text += "\n"
    if !options.isEmpty { text += "\nOptions:\n" + Self.list(options.map { (Self.heading($0), $0.meaning) }) }
    if !settings.isEmpty {
      text += "\nSettings (environment variables, and flags of the same name):\n"
      text += Self.list(taken.map { ("\($0.variable)", "\($0.meaning) Default: \($0.defaultText.isEmpty ? "none" : $0.defaultText).") })
      if takesKafkaProperties || settings.contains(.kafkaServers) {
        text += Self.list([("KAFKA_<PROPERTY>", "Any property of librdkafka: KAFKA_SECURITY_PROTOCOL sets security.protocol.")])
      }
    }
    for note in notes {
      text += "\n" + Self.wrapped(note.split(whereSeparator: \.isNewline).joined(separator: " "), to: 112).joined(separator: "\n") + "\n"
    }
    if !examples.isEmpty { text += "\nExamples:\n" + examples.map { "  \($0.line)\n      \($0.meaning)\n" }.joined() }
    return text + "\nExit codes: 0 done; 1 incomplete or failed; 2 usage; 75 quota used up and --no-wait given.\n"
  }

  private static func heading(_ option: OptionSpecification) -> String {
    option.placeholder.map { "\(option.name) \($0)" } ?? option.name
  }

  private static func list(_ rows: [(String, String)]) -> String {
    rows.map { name, meaning in
      let lines = wrapped(meaning, to: 84).joined(separator: "\n" + String(repeating: " ", count: 28))
      return name.count <= 24
        ? "  \(name)\(String(repeating: " ", count: 26 - name.count))\(lines)\n"
        : "  \(name)\n\(String(repeating: " ", count: 28))\(lines)\n"
    }.joined()
  }

  private static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
      if let last = lines.last, !last.isEmpty, last.count + 1 + word.count > columns { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }
}
