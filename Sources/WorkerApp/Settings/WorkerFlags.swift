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
      guard argument.hasPrefix("--") else { throw SettingError(argument, "this program takes flags only; see --help") }
      // By scalars: a value may begin with a mark that Swift joins to the sign before it.
      let equals = argument.unicodeScalars.firstIndex(of: "=")
      let flag = equals.map { String(argument.unicodeScalars[..<$0]) } ?? argument
      let variable = try variable(flag, settings)
      let attached = equals.map { String(argument.unicodeScalars[$0...].dropFirst()) }
      guard let value = attached ?? rest.popFirst() else { throw SettingError(flag, "needs a value; see --help") }
      flags[variable] = value
    }
    return .run(flags)
  }

  private static func variable(_ flag: String, _ settings: [Setting]) throws(SettingError) -> String {
    if flag == Setting.apiKey.flag {
      throw SettingError(flag, "the key is no flag, because process lists show flags; set YOUTUBE_API_KEY or YOUTUBE_API_KEY_FILE")
    }
    let variable = flag.dropFirst(2).uppercased().replacing("-", with: "_")
    // Any property of librdkafka may follow KAFKA_; whether it exists is checked with the configuration.
    guard settings.contains(where: { $0.variable == variable }) || variable.hasPrefix("KAFKA_") else {
      throw SettingError(flag, "there is no such flag; see --help")
    }
    return variable
  }
}
