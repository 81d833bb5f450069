import FoundationEssentials
import Messages
import Telemetry
import WorkerApp

/// `tubeline dead-letters list`: what stages gave up on.
enum DeadLettersListCommand: Command {
  enum Format: String, CaseIterable { case table, jsonl }

  static let specification = CommandSpecification(
    name: "dead-letters list", summary: "lists messages that stages gave up on", operands: "[LETTER…]",
    options: DeadLetterSelection.flags + [
      DeadLetterListing.includeSettled, OptionSpecification("--limit", "N", "The N that failed last."),
      OptionSpecification("--format", "table|jsonl", "Default: table in a terminal, jsonl elsewhere."),
    ],
    settings: [.kafkaServers, .topicPrefix],
    examples: [
      .init("tubeline dead-letters list --stage playlists --since 2h", "What the playlists stage gave up on in the last two hours."),
      .init("tubeline dead-letters list --format jsonl | jq -r .code | sort | uniq -c", "How many of each reason."),
    ],
    notes: [
      """
      A letter is named by stage, partition and offset: playlists-0-17. Letters that were replayed or discarded are left out, unless
      --include-settled is given. Those that failed last come last. Reads up to the ends of the topics as they are at the start, and commits nothing.
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let format: Format = try invocation.arguments.word("--format") ?? (invocation.output.isTerminal ? .table : .jsonl)
    let listing = try DeadLetterListing(invocation)
    let output = invocation.output
    guard format == .table else {
      let lines = try await listing.byFailure { letter in
        let bytes = DeadLetterText.json(letter, isWhole: false).bytes()
        return (output.isTerminal ? MessageJSON.escapingControls(bytes) : bytes) + [0x0A]
      }
      for line in lines { try output.write(line) }
      return .done
    }
    var table = StreamingTable(columns: columns(listing.includesSettled), width: TerminalSize.columns(of: output))
    for row in try await listing.byFailure({ cells($0, listing.includesSettled) }) { try output.write(table.append(row)) }
    try output.write(table.flush())
    return .done
  }

  static func columns(_ showsState: Bool) -> [TextTable.Column] {
    [.init("letter")] + (showsState ? [.init("state")] : [])
      + [
        .init("failed", dispensable: 3, brief: BriefTime.minute(today: Date())), .init("code", dispensable: 4),
        .init("key", flexible: true, dispensable: 1), .init("origin", dispensable: 2),
        .init("reason", flexible: true, comfort: 24),
      ]
  }

  private static func cells(_ letter: DeadLetterRecord, _ showsState: Bool) -> [String] {
    let failed = letter.failedAt.map { String(Timestamp.rfc3339($0).prefix(19)).replacing("T", with: " ") } ?? "unknown"
    let state = showsState ? [letter.state] : []
    let key = letter.message.key.map(VisibleBytes.line) ?? ""
    let rest: [String] = [failed, letter.code ?? "unknown", key, letter.originText ?? "", letter.reason ?? ""]
    return [letter.id.description] + state + rest
  }
}

/// What `list` and `export` have in common.
struct DeadLetterListing: Sendable {
  static let includeSettled = OptionSpecification("--include-settled", "Also letters that were replayed or discarded.")

  let selection: DeadLetterSelection
  let includesSettled: Bool
  private let limit: Int
  private let reader: DeadLetterReader
  private let messages: MessageOutput

  init(_ invocation: Invocation) throws {
    selection = try DeadLetterSelection(invocation.arguments, now: Date())
    includesSettled = invocation.arguments.has("--include-settled")
    limit = try invocation.arguments.number("--limit", in: 0 ... .max) ?? .max
    let configuration = try invocation.configuration()
    messages = invocation.messages
    reader = DeadLetterReader(kafka: configuration.kafka, prefix: configuration.topicPrefix, messages: invocation.messages)
  }

  /// What is made of each letter, in the order of their failures; the last ones where there is a limit.
  func byFailure<Row>(_ make: (DeadLetterRecord) -> Row) async throws -> [Row] {
    var rows: [(time: Date, id: DeadLetterID, row: Row)] = []
    func keepLast() {
      rows.sort {
        ($0.time, $0.id.stage.rawValue, $0.id.partition, $0.id.offset) < ($1.time, $1.id.stage.rawValue, $1.id.partition, $1.id.offset)
      }
      rows.removeFirst(max(0, rows.count - limit))
    }
    try await read { letter in
      rows.append((letter.failedAt ?? .distantPast, letter.id, make(letter)))
      // What will not be shown needs no memory.
      if limit < Int.max / 2 - 1000, rows.count > 2 * limit + 1000 { keepLast() }
      return true
    }
    keepLast()
    return rows.map(\.row)
  }

  /// As they lie, partition by partition.
  func run(_ write: (DeadLetterRecord) throws -> Void) async throws -> ExitCode {
    var shown = 0
    try await read { letter in
      try write(letter)
      shown += 1
      return shown < limit
    }
    return .done
  }

  private func read(_ take: (DeadLetterRecord) throws -> Bool) async throws {
    let census = try await reader.census(selection.stages)
    var count = 0
    if limit > 0 {
      try await reader.letters(census) { letter in
        guard includesSettled || letter.settlement == nil, selection.matches(letter) else { return true }
        count += 1
        return try take(letter)
      }
    }
    if count == 0 {
      messages.line(
        "No letter was found: \(Spans.count(census.waitingCount)) wait and \(Spans.count(census.settledCount)) are settled in "
          + selection.stages.map { Topic.dead($0).name }.joined(separator: ", ") + ".")
    }
  }
}
