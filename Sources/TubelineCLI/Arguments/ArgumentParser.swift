import WorkerApp

/// An option of a command: a switch, or a flag with a value.
struct OptionSpecification: Sendable, Equatable {
  /// With its dashes: `--max-videos`.
  let name: String
  /// What stands for the value in the help text; nil makes it a switch.
  let placeholder: String?
  let meaning: String

  /// A switch.
  init(_ name: String, _ meaning: String) {
    self.name = name
    placeholder = nil
    self.meaning = meaning
  }

  /// A flag with a value.
  init(_ name: String, _ placeholder: String, _ meaning: String) {
    self.name = name
    self.placeholder = placeholder
    self.meaning = meaning
  }
}

/// A command line that cannot be understood (exit code 2).
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A command line taken apart.
struct ParsedArguments: Sendable, Equatable {
  /// What is no option, in order; `-` stands for standard input.
  var operands: [String] = []
  var switches: Set<String> = []
  /// The last value of each flag, by the flag's name.
  var values: [String: String] = [:]
  /// Values of settings, by the environment variable of the same name.
  var settings: [String: String] = [:]
  var wantsHelp = false

  func has(_ name: String) -> Bool { switches.contains(name) }
}

/// Reads `--flag value`, `--flag=value`, switches, `--` and `-`; flags and operands may be mixed.
struct ArgumentParser: Sendable {
  let options: [OptionSpecification]
  /// Settings that are flags, as name of the flag → environment variable.
  let settingFlags: [String: String]
  /// Whether `--kafka-…` may set any property of the client library.
  let takesKafkaProperties: Bool
  /// Whether operands are names, which may begin with a dash.
  let takesNames: Bool

  func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      }
      if argument == "-" || !argument.hasPrefix("-") || (!takesNames && Self.isNumber(argument.dropFirst())) {
        parsed.operands.append(argument)
      } else if argument == "--help" || argument == "-h" {
        parsed.wantsHelp = true
      } else {
        try read(argument, &rest, into: &parsed)
      }
    }
    return parsed
  }

  // Whoever writes -5 where a number is wanted hears that it is too small, and not of flags.
  private static func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  private func read(_ argument: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments) throws(UsageError) {
    // By scalars: a value may begin with a mark that Swift joins to the sign before it.
    let equals = argument.unicodeScalars.firstIndex(of: "=")
    let name = equals.map { String(argument.unicodeScalars[..<$0]) } ?? argument
    let attached = equals.map { String(argument.unicodeScalars[$0...].dropFirst()) }
    if let option = options.first(where: { $0.name == name }), option.placeholder == nil {
      guard attached == nil else { throw UsageError("\(name) takes no value.") }
      parsed.switches.insert(name)
      return
    }
    guard options.contains(where: { $0.name == name }) || variable(of: name) != nil else { throw unknown(name) }
    try refuseSecret(name, nil)
    guard let value = attached ?? rest.popFirst() else { throw UsageError("\(name) needs a value.") }
    try refuseSecret(name, value)
    if let variable = variable(of: name) { parsed.settings[variable] = value } else { parsed.values[name] = value }
  }

  private func variable(of flag: String) -> String? {
    if let variable = settingFlags[flag] { return variable }
    guard takesKafkaProperties, flag.hasPrefix("--kafka-"), flag.utf8.count > 8 else { return nil }
    return flag.dropFirst(2).uppercased().replacing("-", with: "_")
  }

  private func refuseSecret(_ name: String, _ value: String?) throws(UsageError) {
    guard let variable = variable(of: name), let problem = SecretFlag.problem(variable, value: value) else { return }
    throw UsageError("\(name): \(problem).")
  }

  private func unknown(_ name: String) -> UsageError {
    for secret in [Setting.apiKey, .quotaStorePassword] where name == secret.flag {
      return UsageError("\(name): \(SecretFlag.problem(secret.variable, value: nil) ?? "").")
    }
    let names = options.map(\.name) + settingFlags.keys.sorted() + ["--help"]
    if name.hasPrefix("--"), let nearest = NearestName.of(name, among: names) {
      return UsageError("There is no flag \(name). Did you mean \(nearest)?")
    }
    // A name such as -abc can only be given behind `--`.
    return UsageError("There is no flag \(name)." + (takesNames ? " A name that begins with a dash goes after --." : ""))
  }
}
