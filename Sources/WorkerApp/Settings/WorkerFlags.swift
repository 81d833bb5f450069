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
      // By scalars: a value may begin with a mark that Swift joins to the sign before it.
      let equals = argument.unicodeScalars.firstIndex(of: "=")
      let flag = equals.map { String(argument.unicodeScalars[..<$0]) } ?? argument
      guard flag.hasPrefix("--") else { throw SettingError(flag, "this program takes flags only; see --help") }
      let variable = try variable(flag, settings)
      if let problem = SecretFlag.problem(variable, value: nil) { throw SettingError(flag, problem) }
      let attached = equals.map { String(argument.unicodeScalars[$0...].dropFirst()) }
      guard let value = attached ?? rest.popFirst() else { throw SettingError(flag, "needs a value; see --help") }
      if let problem = SecretFlag.problem(variable, value: value) { throw SettingError(flag, problem) }
      flags[variable] = value
    }
    return .run(flags)
  }

  private static func variable(_ flag: String, _ settings: [Setting]) throws(SettingError) -> String {
    let variable = flag.dropFirst(2).uppercased().replacing("-", with: "_")
    // Any property of librdkafka may follow KAFKA_; whether it exists is checked with the configuration.
    guard settings.contains(where: { $0.variable == variable }) || variable.hasPrefix("KAFKA_") else {
      let flags = settings.map { "--" + $0.variable.lowercased().replacing("_", with: "-") } + ["--help", "--version"]
      let nearest = NearestName.of(flag, among: flags).map { " Did you mean \($0)?" } ?? ""
      throw SettingError(flag, "there is no such flag.\(nearest)")
    }
    return variable
  }
}
