import JSON
import Messages
import WorkerApp

/// `tubeline dead-letters export`: whole letters for programs.
enum DeadLettersExportCommand: Command {
  static let specification = CommandSpecification(
    name: "dead-letters export", summary: "writes dead letters with headers and original bytes, one JSON object a line",
    operands: "[LETTER…]",
    options: DeadLetterSelection.flags + [
      DeadLetterListing.includeSettled, OptionSpecification("--limit", "N", "Stop after N letters."),
      OptionSpecification("--output", "FILE", "Where to write. Default: standard output."),
    ],
    settings: [.kafkaServers, .topicPrefix],
    examples: [.init("tubeline dead-letters export --code invalidJSON --output letters.jsonl", "For the people who sent them.")],
    notes: [
      """
      Members: letter, state, stage, partition, offset, settledAt, failedAt, code, message, attempt, origin (topic, partition, offset),
      timestamp, key, headers (a list of name and value, because names may repeat) and value. A key or value that is no UTF-8 is in keyBase64
      or valueBase64 instead; null is null. The letters stay as they are.
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let listing = try DeadLetterListing(invocation)
    let path = invocation.arguments.values["--output"]
    var file: ByteOutput?
    let code = try await listing.run { letter in
      // The file is made late, so that one which is there stays when no letter can be read.
      if let path, file == nil { file = try ByteOutput(path: path) }
      let output = file ?? invocation.output
      var bytes = DeadLetterText.json(letter, isWhole: true).bytes()
      if output.isTerminal { bytes = MessageJSON.escapingControls(bytes) }
      try output.write(bytes + [0x0A])
    }
    // That there are none is an answer, too.
    if let path, file == nil { file = try ByteOutput(path: path) }
    try file?.close()
    return code
  }
}
