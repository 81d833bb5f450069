import FoundationEssentials
import Telemetry

/// `tubeline manual`: the manual pages, for man(1).
enum ManualCommand: Command {
  static let specification = CommandSpecification(
    name: "manual", summary: "prints a manual page, or writes all of them into a folder", operands: "[PAGE]",
    options: [OptionSpecification("--directory", "DIR", "Write every page into this folder, which is made if it is missing.")],
    examples: [
      .init("tubeline manual tubeline-videos | man -l -", "Read one."),
      .init("tubeline manual --directory /usr/local/share/man/man1", "Install them."),
    ],
    notes: ["Pages: tubeline, which is the default, and one for each other executable."])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let operands = invocation.arguments.operands
    if let folder = invocation.arguments.values["--directory"] {
      try invocation.arguments.expectNoOperands()
      try write(into: folder)
      return .done
    }
    guard operands.count <= 1 else { throw UsageError("One page at a time.") }
    let name = operands.first ?? "tubeline"
    guard let page = Manual.pages.first(where: { $0.name == name }) else {
      if TubelineCLI.commands.contains(where: { $0.specification.name.split(separator: " ").first == name[...] }) {
        throw UsageError("\"\(name)\" is a command, not a page. Its help: tubeline help \(name)")
      }
      throw UsageError("There is no page \"\(name)\". There are: \(Manual.pages.map(\.name).joined(separator: ", ")).")
    }
    try invocation.output.write(page.text)
    return .done
  }

  private static func write(into folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for page in Manual.pages { try Data(page.text.utf8).write(to: URL(filePath: "\(folder)/\(page.fileName)")) }
    } catch { throw CommandError("The pages cannot be written into \(folder): \(error)") }
  }
}
