import Kafka
import Messages
import Monitoring
import Telemetry

/// Reads dead-letter topics, committed records only: once to learn what is settled, and once more for the letters themselves, since what
/// settles a letter lies behind it and a million letters need not fit into memory.
struct DeadLetterReader: Sendable {
  let kafka: KafkaConfiguration
  let prefix: String
  let messages: MessageOutput
  /// Wakes the reading; shared with `interruption`.
  let signal: Signal
  var interruption: Occurrence?

  init(kafka: KafkaConfiguration, prefix: String, messages: MessageOutput, signal: Signal = Signal(), interruption: Occurrence? = nil) {
    var kafka = kafka
    // What an interrupted replay left behind is not there.
    kafka.properties["isolation.level"] = "read_committed"
    self.kafka = kafka
    self.prefix = prefix
    self.messages = messages
    self.signal = signal
    self.interruption = interruption
  }

  func topic(_ stage: StageName) -> String { prefix + Topic.dead(stage).name }

  private var stages: [String: StageName] { Dictionary(uniqueKeysWithValues: StageName.allCases.map { (topic($0), $0) }) }

  /// - Parameters:
  ///   - place: only this letter's partition, from the letter on.
  ///   - isComplete: waits for transactions that are open: a settlement that was committed behind the beginning of one is not to be read
  ///     before that one ends, and its letter would seem to wait.
  func census(_ wanted: [StageName], of place: DeadLetterID? = nil, isComplete: Bool = false) async throws -> DeadLetterCensus {
    var partitions = try await kafka.withAdmin { try await $0.partitions(of: wanted.map(topic), servers: kafka.bootstrapServers) }
    if let place { partitions.removeAll { $0.topic != topic(place.stage) || $0.partition != place.partition } }
    let ends = isComplete ? try await logEnds(partitions) : nil
    var census = DeadLetterCensus(extents: [:])
    try await read(partitions, from: place.map { .offset($0.offset) } ?? .beginning, within: ends) { extents in
      census = DeadLetterCensus(extents: ends ?? extents)
      let late = extents.filter { ends?[$0.key]?.upperBound ?? 0 > $0.value.upperBound }
      if !late.isEmpty {
        messages.line("Waiting for the end of transactions on \(late.keys.sorted().map(\.description).joined(separator: ", ")).")
      }
    } body: { record in
      census.note(record)
      return true
    }
    // Without the rest, settled letters would seem to wait.
    if interruption?.isTrue == true { throw CommandError("Interrupted while reading; nothing was done.") }
    return census
  }

  /// The extents of the logs with what open transactions have written.
  private func logEnds(_ partitions: [Kafka.TopicPartition]) async throws -> [Kafka.TopicPartition: Range<Int64>] {
    var configuration = kafka
    configuration.properties["isolation.level"] = "read_uncommitted"
    let reader = try TopicReader(configuration: configuration, logger: .silent, signal: Signal())
    let ends: Result<[Kafka.TopicPartition: Range<Int64>], any Error>
    do { ends = .success(try await reader.watermarks(partitions)) } catch { ends = .failure(error) }
    await reader.close()
    return try ends.get()
  }

  /// Hands over each letter that was there at the census, in offset order of its partition, until the body returns false.
  func letters(
    _ census: DeadLetterCensus, from start: TopicReader.Start = .beginning, _ body: (DeadLetterRecord) async throws -> Bool
  ) async throws {
    let partitions = census.extents.keys.filter { partition in
      census.waiting[partition]?.isEmpty == false || census.settlements[partition] != nil
    }
    guard !partitions.isEmpty else { return }
    let stages = stages
    try await read(partitions.sorted(), from: start, within: census.extents) { record in
      guard let stage = stages[record.topic], let letter = census.letter(record, stage: stage) else { return true }
      return try await body(letter)
    }
  }

  /// - Parameters:
  ///   - ends: where to stop; nil is the ends as they are now.
  ///   - opened: gets the extents of the partitions before any record.
  private func read(
    _ partitions: [Kafka.TopicPartition], from start: TopicReader.Start, within ends: [Kafka.TopicPartition: Range<Int64>]? = nil,
    opened: ([Kafka.TopicPartition: Range<Int64>]) -> Void = { _ in }, body: (ConsumedRecord) async throws -> Bool
  ) async throws {
    let reader = try TopicReader(configuration: kafka, logger: .silent, signal: signal)
    do {
      let extents = try await reader.open(partitions, from: start)
      opened(extents)
      let ends = (ends ?? extents).filter { extents[$0.key] != nil }
      try await drain(reader, ends, body)
      await reader.close()
    } catch {
      await reader.close()
      throw error
    }
  }

  private func drain(
    _ reader: TopicReader, _ ends: [Kafka.TopicPartition: Range<Int64>], _ body: (ConsumedRecord) async throws -> Bool
  ) async throws {
    var reported: KafkaError?
    while interruption?.isTrue != true {
      let isDone = await reader.hasReached(ends)
      let records = try await reader.take()
      for record in records where record.offset < ends[record.topicPartition]?.upperBound ?? 0 {
        guard try await body(record) else { return }
      }
      guard records.isEmpty else { continue }
      if isDone { return }
      if let trouble = await reader.trouble, trouble != reported {
        messages.line("Waiting for the broker: \(VisibleText.of(trouble.description))")
        reported = trouble
      }
      await signal.wait()
      try Task.checkCancellation()
    }
  }
}
