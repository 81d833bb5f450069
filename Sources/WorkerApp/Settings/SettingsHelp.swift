import Telemetry

/// The text of `--help`: a table of every setting, its default and its unit.
public enum SettingsHelp {
  /// - Parameter width: columns of the text; what has to stay whole may be wider.
  public static func text(program: String, purpose: String, settings: [Setting] = Setting.worker, width: Int = 80) -> String {
    let column = (settings.map(\.variable.count).max() ?? 0) + 4
    func list(_ name: String, _ meaning: String) -> String { HelpText.list([(name, meaning)], column: column, width: width) }
    var text = HelpText.paragraph("\(program): \(purpose)", width: width) + "\nUsage: \(program) [--flag value]…\n\n"
    let flags = "Every setting is an environment variable, and a flag of the same name:"
    text += HelpText.paragraph("\(flags) \(Setting.kafkaServers.variable) is \(Setting.kafkaServers.flag).", width: width)
    text += HelpText.paragraph("Durations: 250ms, 20s, 5m, 1h, 30d; a bare number is seconds.", width: width)
    for setting in settings {
      text += "\n" + list(setting.variable, setting.meaning)
      let fallback = setting.defaultText.isEmpty ? "none" : setting.defaultText
      text += HelpText.paragraph("[\(setting.unit)] default: \(fallback)", width: width, indent: HelpText.indent(column, width))
    }
    text += "\n"
    text += list(
      "KAFKA_<PROPERTY>",
      "Any property of librdkafka, dots as underscores: KAFKA_SECURITY_PROTOCOL sets security.protocol. Secrets are no flags; "
        + "KAFKA_SASL_PASSWORD_FILE=PATH reads KAFKA_SASL_PASSWORD from a file.")
    text += "  --help, --version\n\n"
    return text + HelpText.paragraph("Exit codes: 0 stopped by a signal; 1 cannot go on; 2 a wrong setting.", width: width)
  }
}
