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

  /// - Parameter width: columns of help texts.
  static func find(_ arguments: [String], among commands: [any Command.Type], width: Int = 80) -> Result {
    var words = arguments[...]
    let asksForHelp = words.first == "help"
    if asksForHelp { words = words.dropFirst() }
    guard let first = words.first, first != "--help", first != "-h" else {
      return asksForHelp || words.first != nil ? .help(overview(commands, width)) : .mistake(overview(commands, width))
    }
    if first == "--version" { return .help("tubeline \(BuildInformation.version)\n") }
    for length in [2, 1] where words.count >= length {
      let name = words.prefix(length).joined(separator: " ")
      guard let command = commands.first(where: { $0.specification.name == name }) else { continue }
      return asksForHelp ? .help(command.specification.help(width: width)) : .command(command, Array(words.dropFirst(length)))
    }
    return group(first, words, commands, width) ?? .mistake(unknown(words, commands))
  }

  // `topics` alone, or with `--help`: the commands of that group. `quota` alone has a natural meaning.
  private static func group(_ first: String, _ words: ArraySlice<String>, _ commands: [any Command.Type], _ width: Int) -> Result? {
    let members = commands.filter { $0.specification.name.hasPrefix(first + " ") }
    guard !members.isEmpty else { return nil }
    let next = words.dropFirst().first
    if next == "--help" || next == "-h" { return .help(overview(members, width)) }
    guard next == nil || next?.hasPrefix("-") == true else { return nil }
    guard first == "quota", let show = members.first(where: { $0.specification.name == "quota show" }) else {
      return .mistake(overview(members, width))
    }
    return .command(show, Array(words.dropFirst()))
  }

  private static func unknown(_ words: ArraySlice<String>, _ commands: [any Command.Type]) -> String {
    let names = commands.map { $0.specification.name }
    let first = words.first ?? ""
    if first.hasPrefix("-") {
      return "tubeline: \(VisibleText.of(first)): flags come after a command: tubeline COMMAND --flag value\nSee tubeline --help.\n"
    }
    let isGroup = names.contains { $0.hasPrefix(first + " ") }
    let given = VisibleText.of(words.prefix(isGroup ? 2 : 1).joined(separator: " "))
    let groups = names.map { $0.split(separator: " ").first.map(String.init) ?? $0 }
    let nearest = NearestName.of(given, among: names) ?? NearestName.of(first, among: isGroup ? [] : groups)
    let hint = nearest.map { " Did you mean \"\($0)\"?" } ?? ""
    return "tubeline: There is no command \"\(given)\".\(hint)\nSee tubeline --help.\n"
  }

  private static func overview(_ commands: [any Command.Type], _ width: Int) -> String {
    let specifications = commands.map { $0.specification }
    let column = (specifications.map(\.name.count).max() ?? 0) + 4
    var text = HelpText.paragraph("tubeline \(BuildInformation.version): harvests YouTube channels over Apache Kafka", width: width)
    text += "\nUsage: tubeline COMMAND [--flag value]… [NAME…]\n\n"
    text += HelpText.list(specifications.map { ($0.name, $0.summary) }, column: column, width: width) + "\n"
    let more = "tubeline COMMAND --help tells more. Results go to standard output, everything else to standard error."
    text += HelpText.paragraph(more, width: width)
    return text + HelpText.paragraph(CommandSpecification.exitCodes(of: specifications), width: width)
  }
}
