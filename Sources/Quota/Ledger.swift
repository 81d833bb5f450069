/// The count of all buckets, and every decision about it, as integers: times are milliseconds since 1970.
///
/// Stores load it, decide and save in one atomic step; the Redis scripts decide the same in Lua. Only what is granted or ordered
/// changes it, so a denied reservation needs no write.
public struct Ledger: Sendable, Equatable {
  /// One bucket's count in one day.
  public struct Account: Sendable, Equatable {
    public var day: QuotaDay
    public var spent = 0
    /// Nothing is granted before this time; 0 when the API has not complained.
    public var exhaustedUntil = 0
    public var drift = 0
    /// Calls that the API answered after it had said that the day's units are used up.
    public var contradictions = 0
    /// Microseconds since 1970: when a call would be due if calls came evenly (GCRA's theoretical arrival time).
    public var nextRequest = 0
    /// When the operator last said what is spent; 0 for never, and when that was before a loss.
    public var confirmedAt = 0

    public init(day: QuotaDay) { self.day = day }
  }

  /// One process's last entry: it saw the ledger, was granted something, or missed something.
  public struct Writer: Sendable, Equatable {
    public let sequence: Int
    public let time: Int

    public init(sequence: Int, time: Int) {
      self.sequence = sequence
      self.time = time
    }
  }

  /// Random, made with the ledger: two ledgers never share it.
  public let id: String
  /// Counts the changes.
  public var sequence = 0
  /// The highest time of any change: the ledger's clock does not run backwards.
  public var time = 0
  /// Some process has missed what it had seen in the ledger: nothing is granted before this time, or the operator's word about the bucket;
  /// 0 for no doubt.
  public var doubtedUntil = 0
  public var accounts: [Bucket: Account] = [:]
  /// Today's processes, by their own ids: a store that went back to an older copy does not know a process's last entry, however far others
  /// have gone on from that copy.
  public var writers: [String: Writer] = [:]
  /// Earlier entries may have been removed.
  public var writersSince = 0
  /// Processes that start again and again must not make each reservation slow.
  public static let mostWriters = 500

  public init(id: String) { self.id = id }

  /// `doubtedUntil` of a storage that knows no days: the first process that asks makes it the end of the day.
  public static let someReset = range.upperBound

  /// How far behind the ledger's time a host's clock may be before nothing is granted to it.
  public static let clockTolerance = 3_600_000

  public func memory(at clock: Int) -> LedgerMemory { LedgerMemory(id: id, sequence: sequence, time: time, clock: clock) }

  /// How the stored ledger differs from the one that is expected, and since when; nothing of a day before today is missed.
  public static func loss(
    of stored: Ledger?, against expectation: Expectation, today: QuotaDay, now: Int
  ) -> (kind: QuotaStoreError.DataLoss, since: Int)? {
    guard let memory = expectation.memory, memory.time >= today.start else { return nil }
    guard let stored else { return (.missing, memory.clock) }
    if stored.id != memory.id { return (.replaced, memory.clock) }
    if stored.sequence < memory.sequence { return (.rolledBack, memory.clock) }
    // What is far ahead of the clock is an entry of a wrong day, which the operator has ended.
    guard let written = expectation.written, written.time >= max(today.start, stored.writersSince),
      written.time <= now + clockTolerance
    else { return nil }
    return (stored.writers[expectation.writer]?.sequence ?? 0) < written.sequence ? (.rolledBack, written.clock) : nil
  }

  /// Whether an operator has said since then what is spent.
  public func isConfirmed(_ bucket: Bucket, since time: Int) -> Bool {
    accounts[bucket]?.isConfirmed(since: time) ?? false
  }

  /// Something is missing of what was seen at that time: no bucket's count is sure any more, unless an operator confirmed it later. It is an
  /// entry as others are, so that a store that forgets it is found out.
  public mutating func doubt(since time: Int, by writer: String, now: Int, until end: Int) {
    doubtedUntil = end
    for (bucket, account) in accounts where account.confirmedAt < time { accounts[bucket]?.confirmedAt = 0 }
    enter(writer, at: now)
  }

  /// A process has come that will miss what is lost from now on. A ledger that is far ahead of the clock is left as it is.
  public mutating func join(_ writer: String, now: Int) -> Bool {
    guard clockBehind(at: now) == .zero else { return false }
    if writers.count >= Self.mostWriters {
      forgetWriters(before: writers.values.map(\.time).sorted()[writers.count - Self.mostWriters / 2])
    }
    enter(writer, at: now)
    return true
  }

  /// Goes on above what a process has seen, also when that was lost: so its entries have ever higher numbers, in whatever copies.
  public mutating func continueAbove(_ memory: LedgerMemory?) { sequence = max(sequence, memory?.sequence ?? 0) }

  public func isDoubted(_ bucket: Bucket, at time: Int) -> Bool {
    doubtedUntil > time && (accounts[bucket]?.confirmedAt ?? 0) == 0
  }

  public static func randomID() -> String {
    let number = UInt64.random(in: .min ... .max)
    return String(number, radix: 36)
  }

  /// Grants or denies `cost` units.
  /// - Parameter writer: the process that asks.
  public mutating func reserve(
    _ bucket: Bucket, cost: Int, by writer: String, terms: QuotaTerms, now: Int, calendar: QuotaCalendar
  ) throws(QuotaStoreError) -> Reservation {
    let time = try currentTime(now)
    var account = account(bucket, at: time, calendar)
    if let (reason, until) = account.obstacle(cost: cost, terms: terms, at: time) {
      let remaining = account.remaining(of: terms.limit, at: time)
      return .denied(Denial(bucket: bucket, reason: reason, at: time, until: until, remaining: remaining, day: account.day))
    }
    account.spend(cost, terms: terms, at: time)
    if accounts[bucket]?.day != account.day { forgetWriters(before: account.day.start) }
    accounts[bucket] = account
    enter(writer, at: time)
    return .granted(Grant(bucket: bucket, cost: cost, day: account.day, remaining: terms.limit - account.spent, ledger: id, time: time))
  }

  /// Gives units back. A grant of another day or another ledger changes nothing, and neither does one that the count does not hold: the
  /// operator has said since what is spent, or the ledger went back to before it.
  public mutating func refund(_ grant: Grant) {
    guard grant.ledger == id, grant.time <= time, var account = accounts[grant.bucket], account.day == grant.day,
      !account.isConfirmed(since: grant.time)
    else { return }
    account.spent = max(0, account.spent - grant.cost)
    commit(account, to: grant.bucket, at: time)
  }

  /// Stops a bucket until the reset.
  ///
  /// Shortly after a reset the API may still count the day before, so the bucket is tried again soon instead of a day later.
  public mutating func exhaust(
    _ bucket: Bucket, day: QuotaDay?, limit: Int, now: Int, calendar: QuotaCalendar
  ) throws(QuotaStoreError) {
    let time = try currentTime(now)
    var account = account(bucket, at: time, calendar)
    if let day, day != account.day { return }
    let grace = min(600_000, account.day.length / 100)
    if time - account.day.start < grace {
      account.exhaustedUntil = max(account.exhaustedUntil, min(account.day.end, time + grace / 10))
    } else {
      if account.exhaustedUntil <= time { account.drift = max(0, limit - account.spent) }
      account.exhaustedUntil = account.day.end
    }
    commit(account, to: bucket, at: time)
  }

  /// The API answered a call of this day. Returns whether it had said before that the day's units are used up.
  public mutating func answered(_ bucket: Bucket, day: QuotaDay) -> Bool {
    guard var account = accounts[bucket], account.day == day, account.exhaustedUntil > 0 else { return false }
    account.contradictions += 1
    commit(account, to: bucket, at: time)
    return true
  }

  /// Takes the operator's count, and the host's clock even if the ledger has seen a later time. Returns the count before.
  public mutating func set(_ bucket: Bucket, spent: Int, now: Int, calendar: QuotaCalendar) -> Int {
    let before = account(bucket, at: now, calendar)
    var account = Account(day: calendar.day(containing: now))
    account.spent = max(0, spent)
    account.confirmedAt = now
    time = now
    // Entries of today may be gone when the wrong clock has begun a later day.
    writersSince = min(writersSince, account.day.end)
    commit(account, to: bucket, at: now)
    return before.spent
  }

  public mutating func clearExhaustion(_ bucket: Bucket) {
    guard var account = accounts[bucket] else { return }
    account.exhaustedUntil = 0
    account.drift = 0
    account.contradictions = 0
    commit(account, to: bucket, at: time)
  }

  /// One bucket as it stands at `now`; a clock that is behind the ledger is no obstacle to looking.
  public func status(_ bucket: Bucket, limit: Int, now: Int, calendar: QuotaCalendar) -> BucketStatus {
    let time = max(now, self.time)
    let account = account(bucket, at: time, calendar)
    return BucketStatus(
      bucket: bucket, spent: account.spent, limit: limit, remaining: account.remaining(of: limit, at: time),
      resetsAt: account.day.endsAt, isExhausted: account.exhaustedUntil > time, drift: account.drift,
      contradictions: account.contradictions, isDoubted: isDoubted(bucket, at: time),
      clockBehind: clockBehind(at: now))
  }

  private func currentTime(_ now: Int) throws(QuotaStoreError) -> Int {
    try checkClock(now)
    return max(now, time)
  }

  // A day ends only when its own end is reached, so processes whose calendars differ cannot reset it in turns.
  private func account(_ bucket: Bucket, at time: Int, _ calendar: QuotaCalendar) -> Account {
    guard var account = accounts[bucket] else { return Account(day: calendar.day(containing: time)) }
    if account.day.contains(time) { return account }
    if time >= account.day.end {
      var next = Account(day: calendar.day(containing: time))
      next.nextRequest = account.nextRequest
      return next
    }
    // The operator has set the clock back: what was counted in the future counts today.
    account.day = calendar.day(containing: time)
    account.exhaustedUntil = min(account.exhaustedUntil, account.day.end)
    account.nextRequest = 0
    return account
  }

  private mutating func commit(_ account: Account, to bucket: Bucket, at time: Int) {
    accounts[bucket] = account
    change(at: time)
  }

  private mutating func enter(_ writer: String, at time: Int) {
    change(at: time)
    writers[writer] = Writer(sequence: sequence, time: self.time)
  }

  private mutating func change(at time: Int) {
    self.time = max(self.time, time)
    sequence += 1
  }

  private mutating func forgetWriters(before start: Int) {
    writers = writers.filter { $0.value.time >= start }
    writersSince = max(writersSince, start)
  }
}
