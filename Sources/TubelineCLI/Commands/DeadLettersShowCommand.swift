import JSON
import Messages
import WorkerApp

/// `tubeline dead-letters show`: one letter, as it is.
enum DeadLettersShowCommand: Command {
  enum Format: String, CaseIterable { case text, hex, json }

  static let specification = CommandSpecification(
    name: "dead-letters show", summary: "shows one dead letter: why, where from, all headers and the original bytes", operands: "LETTER",
    options: [OptionSpecification("--format", "text|hex|json", "Default: text, or a hex dump of bytes that are mostly no text.")],
    settings: [.kafkaServers, .topicPrefix],
    examples: [.init("tubeline dead-letters show playlists-0-17", "A letter that \"dead-letters list\" has named.")],
    notes: [
      """
      Nothing of the message reaches the terminal as a control sequence: control characters are shown as pictures (␛), bytes that are no
      UTF-8 as <0xff>, marks that turn the writing direction as <U+202E>. --format hex shows every byte, --format json what export writes.
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let operands = invocation.arguments.operands
    guard operands.count == 1 else { throw UsageError("Name one letter, such as playlists-0-17; see tubeline dead-letters list.") }
    let id = try DeadLetterID(parsing: operands[0])
    let format: Format = try invocation.arguments.word("--format") ?? .text
    let configuration = try invocation.configuration()
    let reader = DeadLetterReader(kafka: configuration.kafka, prefix: configuration.topicPrefix, messages: invocation.messages)
    let census = try await reader.census([id.stage], of: id)
    var found: DeadLetterRecord?
    try await reader.letters(census, from: .offset(id.offset)) { letter in
      if letter.id == id { found = letter }
      return false
    }
    guard let letter = found else {
      throw CommandError("There is no letter \(id) (any more). See: tubeline dead-letters list --stage \(id.stage.rawValue)")
    }
    switch format {
    case .text: try invocation.output.write(DeadLetterText.page(letter, asHex: false))
    case .hex: try invocation.output.write(DeadLetterText.page(letter, asHex: true))
    case .json:
      let bytes = DeadLetterText.json(letter, isWhole: true).bytes()
      try invocation.output.write((invocation.output.isTerminal ? MessageJSON.escapingControls(bytes) : bytes) + [0x0A])
    }
    return .done
  }
}
