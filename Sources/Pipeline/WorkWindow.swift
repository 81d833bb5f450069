import FoundationEssentials
import Messages
import Telemetry

/// One message in the worker's hands.
struct WorkItem: Sendable, Identifiable {
  let id: Int
  let message: ReceivedMessage
  /// The assignment under which it came: a result of an older one is dropped.
  let epoch: Int
  /// How often it was handled before.
  var failures: Int
  var notBefore: Date?
}

/// The worker's state without its I/O: which messages are held, which may start, which are finished.
///
/// Every message is in exactly one place: ready, delayed, running, or finished in its partition's tracker.
struct WorkWindow: Sendable {
  private struct Partition: Sendable {
    let epoch: Int
    /// Where handling begins, once the source reads it; what comes from below was handled under an earlier assignment.
    var begin: Int64?
    var tracker = OffsetTracker<Handled>()
    var inDelivery = 0
    var isRevoked = false
    /// Set by a gap: the log may begin anew, at offsets that were seen before.
    var mayRestart = false
    var recent = RecentIDs()
    /// When messages that wait were last put behind the others.
    var rotated = Date.distantPast

    var held: Int { tracker.count + inDelivery }
  }

  private let concurrency: Int
  private let window: Int
  private let skipsRepetition: @Sendable (ReceivedMessage) -> Bool
  private var partitions: [TopicPartition: Partition] = [:]
  private var ready: [WorkItem] = []
  private var readyHead = 0
  private var delayed: [WorkItem] = []
  private(set) var running: [Int: WorkItem] = [:]
  private var nextEpoch = 1
  private var nextID = 1
  private var order: [TopicPartition] = []
  private var rotation = 0

  /// - Parameter skipsRepetition: whether a message is passed over when it came before in its partition.
  init(concurrency: Int, window: Int, skipsRepetition: @escaping @Sendable (ReceivedMessage) -> Bool = { _ in false }) {
    self.concurrency = concurrency
    self.window = window
    self.skipsRepetition = skipsRepetition
  }

  var assigned: [TopicPartition] { Array(partitions.keys) }
  var held: Int { partitions.values.reduce(0) { $0 + $1.held } }
  var delayedCount: Int { delayed.count }
  var hasFinished: Bool { partitions.values.contains { $0.tracker.hasFinishedPrefix } }

  func isCurrent(_ partition: TopicPartition, epoch: Int) -> Bool { partitions[partition]?.epoch == epoch }

  mutating func assign(_ added: [TopicPartition]) {
    for partition in added {
      partitions[partition] = Partition(epoch: nextEpoch)
      nextEpoch += 1
    }
    arrange()
  }

  /// The source reads the partition. Messages below `offset` are only remembered, so that repetitions of them are known.
  mutating func begin(_ partition: TopicPartition, at offset: Int64) { partitions[partition]?.begin = offset }

  /// No new work for the partitions: what has not started is forgotten, to be read again by the next owner.
  mutating func revoke(_ revoked: [TopicPartition]) {
    for partition in revoked { partitions[partition]?.isRevoked = true }
    forgetWaiting(on: Set(revoked))
  }

  /// The partitions are gone; returns the running work on them, which is of no use any more.
  mutating func drop(_ dropped: [TopicPartition]) -> [Int] {
    for partition in dropped { partitions[partition] = nil }
    arrange()
    forgetWaiting(on: Set(dropped))
    return running.values.filter { !isCurrent($0.message.source, epoch: $0.epoch) }.map(\.id)
  }

  private mutating func arrange() {
    order = partitions.keys.sorted { ($0.topic, $0.partition) < ($1.topic, $1.partition) }
  }

  private mutating func forgetWaiting(on gone: Set<TopicPartition>) {
    ready = ready[readyHead...].filter { !gone.contains($0.message.source) }
    readyHead = 0
    delayed.removeAll { gone.contains($0.message.source) }
  }

  /// The log no longer has the position. It goes on at its oldest message: further up, or, where the log was emptied, at lower offsets.
  mutating func gap(_ partition: TopicPartition) { partitions[partition]?.mayRestart = true }

  /// Nothing new starts on any partition.
  mutating func revokeAll() { revoke(assigned) }

  func isBusy(_ partition: TopicPartition) -> Bool {
    guard let state = partitions[partition] else { return false }
    return state.inDelivery > 0 || state.tracker.hasFinishedPrefix
      || running.values.contains { $0.message.source == partition && $0.epoch == state.epoch }
  }

  /// The partitions from which messages may be taken, each first in its turn.
  mutating func turn() -> [TopicPartition] {
    guard held < window else { return [] }
    let open = order.filter { partitions[$0]?.isRevoked == false && partitions[$0]?.begin != nil }
    guard !open.isEmpty else { return [] }
    rotation = (rotation + 1) % open.count
    return Array(open[rotation...] + open[..<rotation])
  }

  /// How many messages may be taken from the partition now.
  ///
  /// No partition may fill the whole window, and a part of it stays free for those that hold nothing, so that partitions that wait do
  /// not keep the others from their turn.
  func room(for partition: TopicPartition) -> Int {
    guard let state = partitions[partition], !state.isRevoked else { return 0 }
    let left = window - held
    guard left > 0 else { return 0 }
    let share = max(window / partitions.count, min(window, concurrency * 2))
    let empty = partitions.count { $0.value.held == 0 && !$0.value.isRevoked && $0.key != partition }
    let kept = min(empty, window / 4)
    return max(0, min(max(left - kept, state.held == 0 ? 1 : 0), share - state.held))
  }

  /// Partitions that hold messages and may not give more: what others call paused.
  var pausedCount: Int { partitions.count { $0.value.begin != nil && room(for: $0.key) == 0 } }

  /// What a message that came is to the worker.
  enum Receipt: Sendable {
    /// It is to be handled.
    case work
    /// The same message came before in its partition; it counts as finished at once.
    case repetition
    /// It was handled before, or its partition is not this worker's any more.
    case past
  }

  /// A message came. It waits for its not-before time, at most until `latest`: a header from outside must not hold a partition for ever.
  @discardableResult
  mutating func receive(_ message: ReceivedMessage, latest: Date = .distantFuture) -> Receipt {
    restartIfLogDid(message)
    guard let partition = partitions[message.source], !partition.isRevoked else { return .past }
    if let begin = partition.begin, message.offset < begin {
      _ = partitions[message.source]?.recent.notes(message)
      return .past
    }
    guard partitions[message.source]?.tracker.received(message.offset) == true else { return .past }
    if skipsRepetition(message), partitions[message.source]?.recent.notes(message) == true {
      partitions[message.source]?.tracker.finished(message.offset, Handled(message: message, outputs: []))
      return .repetition
    }
    let item = WorkItem(
      id: nextID, message: message, epoch: partition.epoch, failures: RetryHeaders.failures(message),
      notBefore: RetryHeaders.notBefore(message).map { min($0, latest) })
    nextID += 1
    if item.notBefore == nil { ready.append(item) } else { delay(item) }
    return .work
  }

  // Offsets of an emptied log mean other messages than before: what is held of the old ones is dropped, as after a new assignment.
  private mutating func restartIfLogDid(_ message: ReceivedMessage) {
    guard let partition = partitions[message.source], partition.mayRestart else { return }
    partitions[message.source]?.mayRestart = false
    let isBelowBegin = partition.begin.map { message.offset < $0 } ?? false
    guard isBelowBegin || !partition.tracker.rises(message.offset) else { return }
    forgetWaiting(on: [message.source])
    partitions[message.source] = Partition(epoch: nextEpoch, begin: message.offset, isRevoked: partition.isRevoked)
    nextEpoch += 1
  }

  /// On a retry topic a message that waits for its time must not hold back what is done behind it, nor fill the window while others behind
  /// are due: it is put behind them. Returns how many were.
  mutating func stepAside(at now: Date, stage: StageName) -> Int {
    guard !delayed.isEmpty else { return 0 }
    var count = 0
    for (partition, state) in partitions where partition.topic.hasSuffix("-retry") && !state.isRevoked {
      while let offset = partitions[partition]?.tracker.obstacle, requeue(partition, later(now, 2), stage, where: { $0 == offset }) {
        count += 1
      }
      guard room(for: partition) == 0, state.rotated.addingTimeInterval(Self.rotationInterval) <= now,
        delayed.count(where: { $0.message.source == partition }) == state.tracker.count
      else { continue }
      partitions[partition]?.rotated = now
      while requeue(partition, later(now, Self.rotationInterval), stage, where: { _ in true }) { count += 1 }
    }
    return count
  }

  private func later(_ now: Date, _ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

  /// What is due sooner stays; what was moved is not moved again for so long, or it would go round and round.
  private static let rotationInterval = 10.0

  private mutating func requeue(_ partition: TopicPartition, _ limit: Date, _ stage: StageName, where isMeant: (Int64) -> Bool) -> Bool {
    let place = delayed.firstIndex {
      $0.message.source == partition && isMeant($0.message.offset) && ($0.notBefore ?? .distantPast) > limit
    }
    guard let place else { return false }
    let message = delayed.remove(at: place).message
    partitions[partition]?.tracker.finished(
      message.offset, Handled(message: message, outputs: [DeadLetter.requeued(message, stage: stage)]))
    return true
  }

  /// The next message that may be handled, if there is room.
  ///
  /// - Parameter newFirst: what was not tried yet comes before what waited: who asks whether a trouble is over must not ask with the
  ///   messages that are the trouble.
  mutating func start(at now: Date, newFirst: Bool = false) -> WorkItem? {
    guard running.count < concurrency else { return nil }
    var item: WorkItem?
    if !(newFirst && readyHead < ready.count), let due = delayed.last, due.notBefore ?? now <= now {
      item = delayed.removeLast()
    } else if readyHead < ready.count {
      item = ready[readyHead]
      readyHead += 1
      if readyHead > 64 && readyHead * 2 > ready.count {
        ready.removeFirst(readyHead)
        readyHead = 0
      }
    }
    if let item { running[item.id] = item }
    return item
  }

  /// When the next delayed message is due.
  var nextDue: Date? { running.count < concurrency ? delayed.last?.notBefore : nil }

  mutating func finish(_ id: Int, with outputs: [OutgoingMessage], trace: TraceContext? = nil) {
    guard let item = running.removeValue(forKey: id), isCurrent(item.message.source, epoch: item.epoch) else { return }
    partitions[item.message.source]?.tracker.finished(item.message.offset, Handled(message: item.message, outputs: outputs, trace: trace))
  }

  /// The message is handled again later, here.
  mutating func postpone(_ id: Int, until time: Date, failures: Int) {
    guard var item = running.removeValue(forKey: id), isCurrent(item.message.source, epoch: item.epoch),
      partitions[item.message.source]?.isRevoked == false
    else { return }
    item.failures = failures
    item.notBefore = time
    delay(item)
  }

  /// The message was not handled and stays unfinished.
  mutating func abandon(_ id: Int) { running[id] = nil }

  /// Delayed messages that are meant need not wait any longer.
  mutating func hasten(_ isMeant: (ReceivedMessage) -> Bool) {
    let due = delayed.filter { isMeant($0.message) }
    guard !due.isEmpty else { return }
    let ids = Set(due.map(\.id))
    delayed.removeAll { ids.contains($0.id) }
    ready += due.reversed()
  }

  // Latest first, so that the next one is taken from the end.
  private mutating func delay(_ item: WorkItem) {
    let time = item.notBefore ?? .distantPast
    let place = delayed.firstIndex { ($0.notBefore ?? .distantPast) <= time } ?? delayed.endIndex
    delayed.insert(item, at: place)
  }

  /// Takes the finished prefixes, up to `limit` messages.
  mutating func takeFinished(upTo limit: Int) -> FinishedBatch {
    var batch = FinishedBatch()
    for partition in Array(partitions.keys) {
      guard batch.handled.count < limit, var state = partitions[partition], state.tracker.hasFinishedPrefix else { continue }
      let prefix = state.tracker.takeFinishedPrefix(upTo: limit - batch.handled.count)
      guard let last = prefix.last else { continue }
      state.inDelivery += prefix.count
      batch.handled += prefix.map(\.outcome)
      batch.positions[partition] = (last.offset + 1, state.epoch)
      partitions[partition] = state
    }
    return batch
  }

  /// The batch without the work of partitions that were lost meanwhile.
  func current(_ batch: FinishedBatch) -> FinishedBatch {
    let positions = batch.positions.filter { isCurrent($0.key, epoch: $0.value.epoch) }
    guard positions.count < batch.positions.count else { return batch }
    return FinishedBatch(handled: batch.handled.filter { positions[$0.message.source] != nil }, positions: positions)
  }

  mutating func delivered(_ batch: FinishedBatch) {
    for (partition, position) in batch.positions where isCurrent(partition, epoch: position.epoch) {
      partitions[partition]?.inDelivery = 0
    }
  }
}
