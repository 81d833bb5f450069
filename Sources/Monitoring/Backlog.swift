import FoundationEssentials
import Kafka
import Messages
import Telemetry

/// What waits for one stage: counted records, not differences of offsets.
public struct Backlog: Sendable {
  /// Not committed yet: waiting, being handled, or handled and waiting for what lies before.
  public var lag = RecordCount.none
  /// Of the stage's retry topic, not committed yet.
  public var retries = RecordCount.none
  /// Of these, the ones whose time has not come.
  public var retriesNotDue = 0
  /// Dead letters that nobody has settled.
  public var deadLetters = RecordCount.none

  public init(
    lag: RecordCount = .none, retries: RecordCount = .none, retriesNotDue: Int = 0, deadLetters: RecordCount = .none
  ) {
    self.lag = lag
    self.retries = retries
    self.retriesNotDue = retriesNotDue
    self.deadLetters = deadLetters
  }
}

/// Counts the backlog of one stage as records come.
struct BacklogTally: Sendable {
  enum Part: CaseIterable, Sendable { case lag, retries, deadLetters }

  private let now: Date
  private var tallies: [Part: RecordTally] = [:]
  private var parts: [Kafka.TopicPartition: (part: Part, number: Int)] = [:]
  private var notDue = 0
  private var letters: [Kafka.TopicPartition: Set<Int64>] = [:]

  init(now: Date) {
    self.now = now
    for part in Part.allCases { tallies[part] = RecordTally() }
  }

  mutating func add(_ partition: Kafka.TopicPartition, _ part: Part, _ range: Range<Int64>) {
    parts[partition] = (part, parts.count)
    tallies[part]?.add(parts.count - 1, range)
  }

  mutating func note(_ record: ConsumedRecord) {
    let partition = record.topicPartition
    guard let (part, number) = parts[partition] else { return }
    let message = ReceivedMessage(record)
    let settles = part == .deadLetters ? Settlement(message)?.offset : nil
    guard tallies[part]?.note(number, offset: record.offset, bytes: record.size, counts: settles == nil) == true else { return }
    switch part {
    case .lag: break
    case .retries: if isNotDue(message) { notDue += 1 }
    case .deadLetters:
      if let settles {
        if letters[partition]?.remove(settles) != nil { tallies[part]?.discount() }
      } else {
        letters[partition, default: []].insert(record.offset)
      }
    }
  }

  mutating func reached(_ partition: Kafka.TopicPartition, _ offset: Int64) {
    guard let (part, number) = parts[partition] else { return }
    tallies[part]?.reached(number, offset)
  }

  /// The partitions that need not be read any further.
  func isFinished(_ partition: Kafka.TopicPartition) -> Bool { parts[partition].map { tallies[$0.part]?.isFinished != false } ?? true }

  var isFinished: Bool { tallies.values.allSatisfy(\.isFinished) }

  var result: Backlog {
    Backlog(
      lag: tallies[.lag]?.result ?? .none, retries: tallies[.retries]?.result ?? .none, retriesNotDue: notDue,
      deadLetters: tallies[.deadLetters]?.result ?? .none)
  }

  private func isNotDue(_ message: ReceivedMessage) -> Bool {
    message.headers[HeaderName.notBefore].flatMap { Timestamp.parse($0) }.map { $0 > now } ?? false
  }
}
