import Telemetry
import WorkerApp

/// Finds the command that the first words name.
enum CommandLookup {
  enum Result {
    case command(any Command.Type, [String])
    case help(String)
    /// For standard error, with exit code 2.
    case mistake(String)
  }

  static func find(_ arguments: [String], among commands: [any Command.Type]) -> Result {
    var words = arguments[...]
    let asksForHelp = words.first == "help"
    if asksForHelp { words = words.dropFirst() }
    guard let first = words.first, first != "--help", first != "-h" else {
      return asksForHelp || words.first != nil ? .help(overview(commands)) : .mistake(overview(commands))
    }
    if first == "--version" { return .help("tubeline \(BuildInformation.version)\n") }
    for length in [2, 1] where words.count >= length {
      let name = words.prefix(length).joined(separator: " ")
      guard let command = commands.first(where: { $0.specification.name == name }) else { continue }
      return asksForHelp ? .help(command.specification.help) : .command(command, Array(words.dropFirst(length)))
    }
    return group(first, words, commands) ?? .mistake(unknown(words, commands))
  }

  // `topics` alone, or with `--help`: the commands of that group. `quota` alone has a natural meaning.
  private static func group(_ first: String, _ words: ArraySlice<String>, _ commands: [any Command.Type]) -> Result? {
    let members = commands.filter { $0.specification.name.hasPrefix(first + " ") }
    guard !members.isEmpty else { return nil }
    let next = words.dropFirst().first
    if next == "--help" || next == "-h" { return .help(overview(members)) }
    guard next == nil || next?.hasPrefix("-") == true else { return nil }
    guard first == "quota", let show = members.first(where: { $0.specification.name == "quota show" }) else {
      return .mistake(overview(members))
    }
    return .command(show, Array(words.dropFirst()))
  }

  private static func unknown(_ words: ArraySlice<String>, _ commands: [any Command.Type]) -> String {
    let names = commands.map { $0.specification.name }
    let first = words.first ?? ""
    let isGroup = names.contains { $0.hasPrefix(first + " ") }
    let given = VisibleText.of(words.prefix(isGroup ? 2 : 1).joined(separator: " "))
    let groups = names.map { $0.split(separator: " ").first.map(String.init) ?? $0 }
    let nearest = NearestName.of(given, among: names) ?? NearestName.of(first, among: isGroup ? [] : groups)
    let hint = nearest.map { " Did you mean \"\($0)\"?" } ?? ""
    return "tubeline: There is no command \"\(given)\".\(hint)\nSee tubeline --help.\n"
  }

  private static func overview(_ commands: [any Command.Type]) -> String {
    let width = (commands.map { $0.specification.name.count }.max() ?? 0) + 2
    let rows = commands.map { command in
      let name = command.specification.name
      return "  \(name)\(String(repeating: " ", count: width - name.count))\(command.specification.summary)\n"
    }
    return """
      tubeline \(BuildInformation.version): harvests YouTube channels over Apache Kafka

      Usage: tubeline COMMAND [--flag value]… [NAME…]

      \(rows.joined())
      tubeline COMMAND --help tells more. Results go to standard output, everything else to standard error.
      Exit codes: 0 done; 1 incomplete or failed; 2 usage; 75 quota used up and --no-wait given.

      """
  }
}
