import Synchronization

/// A quota store over a storage that can run Swift between reading and writing: memory, or SQLite.
public final class LedgerQuotaStore: QuotaStore {
  private let storage: any LedgerStorage
  private let calendar: QuotaCalendar
  private let time: HostTime
  private let expectation = Mutex(Expectation())
  private let isClosed = Atomic(false)

  public init(_ storage: any LedgerStorage, calendar: QuotaCalendar, time: HostTime = .system) {
    self.storage = storage
    self.calendar = calendar
    self.time = time
  }

  public func reserve(_ bucket: Bucket, cost: Int, policy: QuotaPolicy) async throws(QuotaStoreError) -> Reservation {
    try QuotaPolicy.check(cost: cost)
    let terms = policy.terms(for: bucket)
    let expected = expectation.withLock { $0 }
    let (reservation, seen) = try await change(expecting: expected, of: bucket) { [time, calendar] ledger throws(QuotaStoreError) in
      try ledger.reserve(bucket, cost: cost, by: expected.writer, terms: terms, now: time.now(), calendar: calendar)
    }
    // What a reservation has seen is what the next one must find. It counts only after the storage has kept it.
    expectation.withLock { $0.met(by: reservation, seen, as: expected.writer) }
    return reservation
  }

  public func remember() async throws(QuotaStoreError) {
    let (writer, time) = (expectation.withLock { $0.writer }, time)
    guard let seen = try await update({ stored throws(QuotaStoreError) in stored?.memory(at: time.now()) }) else { return }
    expectation.withLock { $0.see(seen) }
    // What hinders this entry, the first reservation will tell.
    let entry = try? await update { stored throws(QuotaStoreError) -> LedgerMemory? in
      let now = time.now()
      return stored?.join(writer, now: now) == true ? stored?.memory(at: now) : nil
    }
    if let entry { expectation.withLock { $0.entered(entry, as: writer) } }
  }

  public func refund(_ grant: Grant) async throws(QuotaStoreError) {
    // A ledger is not made for this, and not checked: only the one that granted takes units back.
    try await update { stored throws(QuotaStoreError) in stored?.refund(grant) }
  }

  public func exhaust(_ bucket: Bucket, day: QuotaDay?, policy: QuotaPolicy) async throws(QuotaStoreError) {
    let limit = policy.terms(for: bucket).limit
    _ = try await change { [time, calendar] ledger throws(QuotaStoreError) in
      try ledger.exhaust(bucket, day: day, limit: limit, now: time.now(), calendar: calendar)
    }
  }

  @discardableResult
  public func answered(_ grant: Grant) async throws(QuotaStoreError) -> Bool {
    try await update { stored throws(QuotaStoreError) in stored?.answered(grant.bucket, day: grant.day) ?? false }
  }

  public func status(_ policy: QuotaPolicy) async throws(QuotaStoreError) -> [BucketStatus] {
    try await update { [time, calendar] stored throws(QuotaStoreError) in
      let ledger = stored ?? Ledger(id: "")
      let now = time.now()
      return Bucket.allCases.map { ledger.status($0, limit: policy.terms(for: $0).limit, now: now, calendar: calendar) }
    }
  }

  public func probe() async throws(QuotaStoreError) {
    try await update { [time] stored throws(QuotaStoreError) in try stored?.checkClock(time.now()) }
    try await storage.probe()
  }

  @discardableResult
  public func set(_ bucket: Bucket, spent: Int) async throws(QuotaStoreError) -> Int {
    try await change { [time, calendar] ledger throws(QuotaStoreError) in
      ledger.set(bucket, spent: spent, now: time.now(), calendar: calendar)
    }.result
  }

  public func clearExhaustion(_ bucket: Bucket) async throws(QuotaStoreError) {
    try await update { stored throws(QuotaStoreError) in stored?.clearExhaustion(bucket) }
  }

  public func acceptDataLoss() async { expectation.withLock { $0 = .anything } }

  public func close() async {
    guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
    await storage.close()
  }

  private func update<Result: Sendable>(
    _ body: @escaping @Sendable (inout Ledger?) throws(QuotaStoreError) -> Result
  ) async throws(QuotaStoreError) -> Result {
    guard !isClosed.load(ordering: .sequentiallyConsistent) else { throw .closed }
    return try await storage.update(body)
  }

  // Makes the ledger if there is none; `seen` is nil while none is stored. What is lost is marked in the store, for all who share it.
  private func change<Answer: Sendable>(
    expecting expectation: Expectation? = nil, of bucket: Bucket = .default,
    _ body: @escaping @Sendable (inout Ledger) throws(QuotaStoreError) -> Answer
  ) async throws(QuotaStoreError) -> (result: Answer, seen: LedgerMemory?) {
    let outcome = try await update { [time, calendar] stored throws(QuotaStoreError) -> Outcome<Answer> in
      var ledger = stored ?? Ledger(id: Ledger.randomID())
      let host = time.now()
      let now = max(host, ledger.time)
      let today = calendar.day(containing: now)
      if ledger.doubtedUntil == Ledger.someReset { ledger.doubtedUntil = today.end }
      if let expectation {
        if let (kind, since) = Ledger.loss(of: stored, against: expectation, today: today, now: now) {
          ledger.continueAbove(expectation.memory)
          ledger.doubt(since: since, by: expectation.writer, now: now, until: today.end)
          stored = ledger
          if !ledger.isConfirmed(bucket, since: since) { return .lost(.dataLoss(kind), marked: ledger.memory(at: host)) }
        }
        if expectation.acceptsDoubt { ledger.doubtedUntil = 0 }
        if ledger.isDoubted(bucket, at: now) {
          stored = ledger
          return .lost(.dataLoss(.doubted), marked: nil)
        }
        ledger.continueAbove(expectation.memory)
      }
      let before = ledger.sequence
      let result = try body(&ledger)
      if ledger.sequence != before { stored = ledger }
      return .done(result, seen: stored?.memory(at: host))
    }
    switch outcome {
    case .done(let result, let seen): return (result, seen)
    case .lost(let error, let marked):
      if let marked, let writer = expectation?.writer { self.expectation.withLock { $0.entered(marked, as: writer) } }
      throw error
    }
  }

  private enum Outcome<Answer: Sendable>: Sendable {
    case done(Answer, seen: LedgerMemory?)
    case lost(QuotaStoreError, marked: LedgerMemory?)
  }
}
