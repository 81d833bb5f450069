import FoundationEssentials
import Kafka
import Messages
import Stages
import Telemetry
import WorkerApp

/// Settles the selected letters that wait: by replaying or by discarding them.
struct LetterSettlingRun: Sendable {
  let selection: DeadLetterSelection
  let action: Settlement.Action
  let limit: Int
  let reader: DeadLetterReader
  /// nil: a dry run.
  let settler: (any LetterSettler)?
  let output: ByteOutput
  let messages: MessageOutput

  struct Outcome: Sendable {
    var settled = 0
    /// Letters that could not be settled.
    var failed = 0
    /// Letters that were named and are not there.
    var missing = 0
    var wasInterrupted = false

    var isComplete: Bool { failed == 0 && missing == 0 && !wasInterrupted }
  }

  func run() async throws -> Outcome {
    // First, or what another run is just publishing would be missed.
    try await settler?.prepare()
    let census = try await reader.census(selection.stages, isComplete: settler != nil)
    var outcome = Outcome()
    report(absent(census), &outcome)
    var batch: [LetterSettling] = []
    var left = limit
    let time = Timestamp.rfc3339(Date())
    if left > 0 {
      try await reader.letters(census) { letter in
        guard letter.settlement == nil, selection.matches(letter), reader.interruption?.isTrue != true else { return true }
        do throws(LetterSettling.Refusal) { batch.append(try settling(letter, time)) } catch {
          messages.line("\(letter.id) was left as it is: \(VisibleText.of(error.description)).")
          outcome.failed += 1
          return true
        }
        left -= 1
        if isFull(batch) { try await settle(&batch, &outcome) }
        return left > 0
      }
      outcome.wasInterrupted = reader.interruption?.isTrue == true
      if !outcome.wasInterrupted { try await settle(&batch, &outcome) }
    }
    return outcome
  }

  // Large messages in small batches, so that neither memory nor the transaction's time runs out.
  private func isFull(_ batch: [LetterSettling]) -> Bool {
    batch.count >= settler?.batch ?? 100 || batch.reduce(0) { $0 + ($1.replay?.value?.count ?? 0) } >= 4_000_000
  }

  private func settling(_ letter: DeadLetterRecord, _ time: String) throws(LetterSettling.Refusal) -> LetterSettling {
    switch action {
    case .discarded: .discarding(letter, at: time)
    case .replayed: try .replaying(letter, inputs: inputs(letter.id.stage), at: time)
    }
  }

  // Some messages were published on the retry topic itself.
  private func inputs(_ stage: StageName) -> Set<String> {
    let topics = StageOrder.row(stage)?.inputs ?? []
    return Set((topics + [.retry(stage)]).map { reader.prefix + $0.name })
  }

  private func settle(_ batch: inout [LetterSettling], _ outcome: inout Outcome) async throws {
    guard !batch.isEmpty else { return }
    let failures = try await settler?.settle(batch) ?? [:]
    for letter in batch {
      if let reason = failures[letter.id] {
        messages.line("\(letter.id) was left as it is: \(VisibleText.of(reason))")
        outcome.failed += 1
      } else {
        try output.write("\(letter.id)" + (letter.replay.map { "\t\($0.topic)" } ?? "") + "\n")
        outcome.settled += 1
      }
    }
    try output.flush()
    batch = []
  }

  private func absent(_ census: DeadLetterCensus) -> [(DeadLetterID, Settlement?)] {
    selection.ids.sorted { "\($0)" < "\($1)" }.compactMap { id in
      let partition = Kafka.TopicPartition(topic: reader.topic(id.stage), partition: id.partition)
      if census.waiting[partition]?.contains(id.offset) == true { return nil }
      return (id, census.settlements[partition]?[id.offset])
    }
  }

  private func report(_ absent: [(DeadLetterID, Settlement?)], _ outcome: inout Outcome) {
    for (id, settlement) in absent {
      if let settlement {
        messages.line("\(id) was \(settlement.action.rawValue) before, \(VisibleText.of(settlement.time)).")
      } else {
        messages.line("There is no letter \(id).")
        outcome.missing += 1
      }
    }
  }
}
