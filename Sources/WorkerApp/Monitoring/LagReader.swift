import FoundationEssentials
import Kafka
import Messages
import Stages
import Synchronization
import Telemetry

/// Records that wait for a consumer group, partition by partition, looked at from outside of the group.
///
/// The distance between a group's offset and the end of a log counts the markers that end transactions, too: a partition in which nothing
/// waits seems to hold a message for ever. So a short distance is read, and of a long one the part that is records is taken from what was
/// read last.
actor LagReader {
  private let kafka: KafkaConfiguration
  private let group: String
  private let clientID: String
  private let logger: Logger
  private var admin: Admin?
  private var known: [Kafka.TopicPartition: (range: Range<Int64>, count: Int)] = [:]
  /// Records for each offset, as last read, by topic.
  private var density: [String: Double] = [:]
  private let initialDensity: Double

  /// Longer distances are not read: they are far from zero, however many markers are among them.
  private static let longestRead: Int64 = 100
  private static let readLimit = Duration.seconds(3)

  /// - Parameter hasMarkers: whether the topics are written in transactions.
  init(_ kafka: KafkaConfiguration, group: String, clientID: String, hasMarkers: Bool, logger: Logger) {
    self.kafka = kafka
    self.group = group
    self.clientID = clientID
    self.logger = logger
    initialDensity = hasMarkers ? 0.5 : 1
  }

  /// Topics that don't exist are left out.
  func read(_ topics: [String]) async throws -> [Kafka.TopicPartition: Int] {
    let admin = try self.admin ?? Admin(configuration: kafka, clientID: clientID, logger: logger)
    self.admin = admin
    let partitions = try await admin.describeCluster(timeout: .seconds(5)).partitions(of: topics)
    let committed = try await admin.committed(groupID: group, partitions, timeout: .seconds(5))
    var ranges: [Kafka.TopicPartition: Range<Int64>] = [:]
    for partition in partitions {
      let log = try await admin.watermarks(partition, timeout: .seconds(5))
      let begin = min(max(log.lowerBound, committed[partition] ?? log.lowerBound), log.upperBound)
      ranges[partition] = begin..<log.upperBound
    }
    let doubtful = ranges.filter { !$0.value.isEmpty && $0.value.count <= Self.longestRead && known[$0.key]?.range != $0.value }
    if !doubtful.isEmpty { try await look(doubtful) }
    return ranges.reduce(into: [:]) { $0[$1.key] = count($1.key, $1.value) }
  }

  private func count(_ partition: Kafka.TopicPartition, _ range: Range<Int64>) -> Int {
    if range.isEmpty { return 0 }
    if let known = known[partition], known.range == range { return known.count }
    return max(1, Int((Double(range.count) * (density[partition.topic] ?? initialDensity)).rounded()))
  }

  private func look(_ ranges: [Kafka.TopicPartition: Range<Int64>]) async throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let consumer = try Consumer(
      configuration: Self.modest(kafka), groupID: "\(group)-lag", clientID: clientID, logger: logger, wake: { wake.yield() })
    let limit = Task {
      try? await Task.sleep(for: Self.readLimit)
      wake.finish()
    }
    let outcome: Result<Void, any Error>
    do {
      try await consumer.assign(ranges.mapValues { .offset($0.lowerBound) })
      var tallies = ranges.mapValues { LagTally(range: $0) }
      for await _ in wakes {
        Self.drain(consumer, &tallies)
        if tallies.values.allSatisfy(\.isComplete) { break }
      }
      for (partition, tally) in tallies { note(partition, tally) }
      outcome = .success(())
    } catch { outcome = .failure(error) }
    limit.cancel()
    await consumer.close()
    try outcome.get()
  }

  private func note(_ partition: Kafka.TopicPartition, _ tally: LagTally) {
    if let share = tally.density { density[partition.topic] = share }
    known[partition] = tally.isComplete ? (tally.range, tally.count) : nil
  }

  private static func drain(_ consumer: Consumer, _ tallies: inout [Kafka.TopicPartition: LagTally]) {
    for partition in Array(tallies.keys) {
      for record in consumer.take(from: partition, upTo: Int(longestRead)) { tallies[partition]?.note(record.offset) }
    }
    for event in consumer.poll() {
      if case .endOfPartition(let partition, let offset) = event { tallies[partition]?.reached(offset) }
    }
  }

  /// A look, not a reading: little is fetched.
  private static func modest(_ kafka: KafkaConfiguration) -> KafkaConfiguration {
    var modest = kafka
    modest.properties["max.partition.fetch.bytes"] = nil
    modest.properties.merge([
      "enable.partition.eof": "true", "enable.auto.commit": "false", "auto.offset.reset": "earliest",
      "fetch.message.max.bytes": "65536", "queued.max.messages.kbytes": "4096", "queued.min.messages": "100",
    ]) { $1 }
    return modest
  }

  func close() async {
    await admin?.close()
    admin = nil
  }
}

/// What was seen of one stretch of a log.
struct LagTally: Equatable {
  let range: Range<Int64>
  private(set) var count = 0
  /// Up to where it was looked at.
  private var end: Int64

  init(range: Range<Int64>) {
    self.range = range
    end = range.lowerBound
  }

  mutating func note(_ offset: Int64) {
    guard range.contains(offset), offset >= end else { return reached(offset) }
    count += 1
    end = offset + 1
  }

  mutating func reached(_ offset: Int64) { end = max(end, min(offset, range.upperBound)) }

  var isComplete: Bool { end >= range.upperBound }

  /// Records for each offset; `nil` while too little was seen to tell.
  var density: Double? {
    let seen = end - range.lowerBound
    return seen >= 10 && count > 0 ? Double(count) / Double(seen) : nil
  }
}
