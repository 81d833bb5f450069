/// The text of `--help`: a table of every setting, its default and its unit.
public enum SettingsHelp {
  public static func text(program: String, purpose: String, settings: [Setting] = Setting.worker) -> String {
    let width = (settings.map(\.variable.count).max() ?? 0) + 2
    var text = """
      \(program): \(purpose)

      Usage: \(program) [--flag value]…

      Every setting is an environment variable, and a flag of the same name: \(Setting.kafkaServers.variable) is \(Setting.kafkaServers.flag).
      Durations: 250ms, 20s, 5m, 1h, 30d; a bare number is seconds.

      """
    for setting in settings {
      text += "\n  " + setting.variable + String(repeating: " ", count: width - setting.variable.count)
      text += "\(setting.meaning)\n  " + String(repeating: " ", count: width)
      text += "[\(setting.unit)] default: \(setting.defaultText.isEmpty ? "none" : setting.defaultText)\n"
    }
    text += """

        KAFKA_<PROPERTY>  Any property of librdkafka, dots as underscores: KAFKA_SECURITY_PROTOCOL sets security.protocol.
                          Secrets are no flags; KAFKA_SASL_PASSWORD_FILE=PATH reads KAFKA_SASL_PASSWORD from a file.
        --help, --version

      Exit codes: 0 stopped by a signal; 1 cannot go on; 2 a wrong setting.

      """
    return text
  }
}
