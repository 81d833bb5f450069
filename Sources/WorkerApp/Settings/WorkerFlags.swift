/// Reads a worker's command line: every setting is a flag of the same name, as `--flag value` or `--flag=value`.
public enum WorkerFlags {
  public enum Request: Equatable, Sendable {
    case run([String: String])
    case help
    case version
  }

  public static func parse(_ arguments: [String], settings: [Setting] = Setting.worker) throws(SettingError) -> Request {
    var flags: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return .help }
      if argument == "--version" { return .version }
      guard argument.hasPrefix("--") else {
        throw SettingError(String(argument.prefix { $0 != "=" }), "this program takes flags only; see --help")
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let variable = try variable(parts[0], settings)
      if let problem = SecretFlag.problem(variable, value: nil) { throw SettingError(parts[0], problem) }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw SettingError(parts[0], "needs a value; see --help") }
      if let problem = SecretFlag.problem(variable, value: value) { throw SettingError(parts[0], problem) }
      flags[variable] = value
    }
    return .run(flags)
  }

  private static func variable(_ flag: String, _ settings: [Setting]) throws(SettingError) -> String {
    let variable = flag.dropFirst(2).uppercased().replacing("-", with: "_")
    // Any property of librdkafka may follow KAFKA_; whether it exists is checked with the configuration.
    guard settings.contains(where: { $0.variable == variable }) || variable.hasPrefix("KAFKA_") else {
      throw SettingError(flag, "there is no such flag; see --help")
    }
    return variable
  }
}
