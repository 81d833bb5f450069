import Quota
import Synchronization
import Telemetry
import TestSupport

/// A gate over a memory ledger whose clocks stand still, and what it logged.
struct GateScene: Sendable {
  let clock = ManualClock()
  let time = ManualTime(20_000 * 86_400_000 + 43_200_000)
  let ledger = MemoryLedger()
  let store: FlakyStore
  let gate: QuotaGate
  let log = Mutexed<[LogEntry]>([])
  let events = Mutexed<[String]>([])

  init(limit: Int, pacing: QuotaPolicy.Pacing = .burst, onDataLoss: QuotaGate.DataLossPolicy = .stop, random: Double = 0) {
    let calendar = QuotaCalendar.fixedPeriod(.seconds(86_400))
    store = FlakyStore(LedgerQuotaStore(ledger, calendar: calendar, time: time.hostTime))
    gate = QuotaGate(
      store: store, policy: QuotaPolicy(limits: [.default: limit], pacing: pacing), onDataLoss: onDataLoss, clock: clock,
      random: { random }, logger: Logger(label: "quota", level: .info) { [log] entry in log.update { $0.append(entry) } },
      observer: { [events] event in events.update { $0.append("\(event)") } })
  }

  var messages: [String] { log.value.map(\.message) }

  /// One more call in line, surely behind those before it; it must have to wait.
  func enqueue(_ bucket: Bucket = .default) async -> Task<Grant, any Error> {
    let before = await gate.state()[bucket]?.waiting ?? 0
    let task = Task<Grant, any Error> { try await gate.admit(bucket, cost: 1) }
    while !Task.isCancelled, await gate.state()[bucket]?.waiting ?? 0 <= before { await Task.yield() }
    return task
  }

  func waitUntilWaiting(_ count: Int, _ bucket: Bucket = .default) async {
    while !Task.isCancelled, await gate.state()[bucket]?.waiting != count { await Task.yield() }
  }

  /// Moves both clocks: the process's and the store's.
  func advance(by duration: Duration) {
    time.set(time.now + Int(duration / .milliseconds(1)))
    clock.advance(by: duration)
  }
}

final class Mutexed<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  func update(_ body: (inout Value) -> Void) {
    mutex.withLock { body(&$0) }
  }
}

/// A store that fails when told to, and counts the questions.
final class FlakyStore: QuotaStore {
  let failure = Mutexed<QuotaStoreError?>(nil)
  let reserves = Mutexed(0)
  let exhausts = Mutexed(0)
  /// Runs before each reservation reaches the ledger.
  let beforeReserve = Mutexed<(@Sendable () async -> Void)?>(nil)
  /// Runs before units go back.
  let beforeRefund = Mutexed<(@Sendable () async -> Void)?>(nil)
  private let store: any QuotaStore

  init(_ store: any QuotaStore) { self.store = store }

  func reserve(_ bucket: Bucket, cost: Int, policy: QuotaPolicy) async throws(QuotaStoreError) -> Reservation {
    reserves.update { $0 += 1 }
    await beforeReserve.value?()
    if let error = failure.value { throw error }
    return try await store.reserve(bucket, cost: cost, policy: policy)
  }

  func exhaust(_ bucket: Bucket, day: QuotaDay?, policy: QuotaPolicy) async throws(QuotaStoreError) {
    if let error = failure.value { throw error }
    exhausts.update { $0 += 1 }
    try await store.exhaust(bucket, day: day, policy: policy)
  }

  func answered(_ grant: Grant) async throws(QuotaStoreError) -> Bool { try await store.answered(grant) }

  func refund(_ grant: Grant) async throws(QuotaStoreError) {
    await beforeRefund.value?()
    if let error = failure.value { throw error }
    try await store.refund(grant)
  }

  func status(_ policy: QuotaPolicy) async throws(QuotaStoreError) -> [BucketStatus] { try await store.status(policy) }
  @discardableResult
  func set(_ bucket: Bucket, spent: Int) async throws(QuotaStoreError) -> Int { try await store.set(bucket, spent: spent) }
  func clearExhaustion(_ bucket: Bucket) async throws(QuotaStoreError) { try await store.clearExhaustion(bucket) }
  func probe() async throws(QuotaStoreError) { try await store.probe() }
  func remember() async throws(QuotaStoreError) { try await store.remember() }
  func acceptDataLoss() async { await store.acceptDataLoss() }
  func close() async { await store.close() }
}
