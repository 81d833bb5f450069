import JSON
import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline videos`, `channels` and `events`: what the pipeline has published.
enum RecordsCommand {
  static func specification(_ name: String, _ kind: RecordKind, summary: String) -> CommandSpecification {
    CommandSpecification(
      name: name, summary: summary,
      options: [
        OptionSpecification("--format", "jsonl|csv|table", "Default: table in a terminal, jsonl elsewhere."),
        OptionSpecification("--end", "Stop at the end of the topic as it is at the start."),
        OptionSpecification("--follow", "Go on for ever (the default)."),
        OptionSpecification("--from-beginning", "Begin with the oldest message (the default)."),
        OptionSpecification("--new", "Begin with what is published from now on."),
        OptionSpecification("--request", "ID", "Only what belongs to this request."),
        OptionSpecification("--limit", "N", "Stop after N records."),
        OptionSpecification("--headers", "jsonl: the whole message, with key, headers, partition, offset and timestamp."),
        OptionSpecification("--raw-csv", "csv: free text as it is, even where a spreadsheet would run it as a formula."),
      ],
      settings: [.kafkaServers, .topicPrefix],
      examples: [
        .init("tubeline \(name) --end --format csv > \(name).csv", "Everything up to now, as a file for a spreadsheet."),
        .init("tubeline \(name) --request r-7f3a --format jsonl | jq .", "One request's messages, as they come."),
      ],
      notes: [
        """
        Topic: \(kind.topic.name). No consumer group is joined and no offset is committed. A tombstone (a record that was taken back) is an
        object with \(kind.keyField) and "tombstone": true in jsonl, and a row with true in the last column in csv. Messages that are no
        JSON are left out, and counted on standard error.
        """,
        "CSV: RFC 4180, UTF-8, lists joined by |. Text that begins like a formula (= + - @) gets an apostrophe in front.\nColumns: "
          + kind.columns.map(\.name).joined(separator: ", ") + ", tombstone.",
      ])
  }

  static func run(_ kind: RecordKind, _ invocation: Invocation) async throws -> ExitCode {
    let arguments = invocation.arguments
    try arguments.expectNoOperands()
    for (left, right) in [("--end", "--follow"), ("--new", "--from-beginning"), ("--new", "--end")]
    where arguments.has(left) && arguments.has(right) {
      throw UsageError("\(left) and \(right) exclude each other.")
    }
    let format: RecordFormatter.Format = try arguments.word("--format") ?? (invocation.output.isTerminal ? .table : .jsonl)
    var formatter = RecordFormatter(kind: kind, format: format, width: TerminalSize.columns(of: invocation.output))
    formatter.isRaw = arguments.has("--raw-csv")
    formatter.showsMessage = arguments.has("--headers")
    formatter.isForTerminal = invocation.output.isTerminal
    let listing = RecordListing(
      requestID: arguments.values["--request"], limit: try arguments.number("--limit", in: 0 ... .max), stopsAtEnd: arguments.has("--end"),
      start: arguments.has("--new") ? .end : .beginning, output: invocation.output, messages: invocation.messages)
    let configuration = try invocation.configuration()
    return try await listing.run(formatter, kafka: configuration.kafka, topic: configuration.topicPrefix + kind.topic.name)
  }
}

/// Copies the records of one topic to an output.
struct RecordListing {
  let requestID: String?
  let limit: Int?
  let stopsAtEnd: Bool
  let start: TopicReader.Start
  let output: ByteOutput
  let messages: MessageOutput

  func run(_ formatter: RecordFormatter, kafka: KafkaConfiguration, topic: String) async throws -> ExitCode {
    let partitions = try await kafka.withAdmin { try await $0.partitions(of: [topic], servers: kafka.bootstrapServers) }
    let signal = Signal()
    let reader = try TopicReader(configuration: kafka, logger: .silent, signal: signal)
    do {
      let extents = try await reader.open(partitions, from: start)
      try await copy(reader, signal, extents, formatter)
      await reader.close()
      return .done
    } catch {
      await reader.close()
      throw error
    }
  }

  private func copy(
    _ reader: TopicReader, _ signal: Signal, _ extents: [Kafka.TopicPartition: Range<Int64>], _ formatter: RecordFormatter
  ) async throws {
    var formatter = formatter
    var left = limit ?? .max
    var unreadable = 0
    var reported: KafkaError?
    try output.write(formatter.header())
    while left > 0 {
      let isDone = await reader.hasReached(extents)
      let records = try await reader.take()
      for record in records where left > 0 {
        if stopsAtEnd, let end = extents[record.topicPartition]?.upperBound, record.offset >= end { continue }
        if try write(record, &formatter, &unreadable) { left -= 1 }
      }
      guard records.isEmpty else { continue }
      try output.write(formatter.flush())
      try output.flush()
      if stopsAtEnd && isDone { break }
      if let trouble = await reader.trouble, trouble != reported {
        messages.line("Waiting for the broker: \(VisibleText.of(trouble.description))")
        reported = trouble
      }
      await signal.wait()
      try Task.checkCancellation()
    }
    try output.write(formatter.flush())
    try output.flush()
    if unreadable > 0 {
      let what = unreadable == 1 ? "message is no JSON and was" : "messages are no JSON and were"
      messages.line("\(Spans.count(unreadable)) \(what) left out.")
    }
    if let requestID, left == limit ?? .max, left > 0 {
      let topic = extents.keys.first?.topic ?? ""
      messages.line("Nothing was found of request \"\(VisibleText.of(requestID))\" in \(topic).")
    }
  }

  private func write(_ record: ConsumedRecord, _ formatter: inout RecordFormatter, _ unreadable: inout Int) throws -> Bool {
    guard let bytes = record.value else {
      guard requestID == nil else { return false }
      try output.write(formatter.lines(record, nil))
      return true
    }
    guard let document = try? JSONDocument.parse(bytes), document.root.kind == .object else {
      unreadable += 1
      return false
    }
    if let requestID, document.root["requestId"]?.string != requestID { return false }
    try output.write(formatter.lines(record, document.root))
    return true
  }
}
