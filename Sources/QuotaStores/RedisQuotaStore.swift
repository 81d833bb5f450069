public import Quota
import Redis
import Synchronization

/// A ledger in Redis or Valkey: any number of hosts, one round trip for each operation, and the server's clock.
///
/// It is one hash, `<prefix>ledger`, so it lives in one slot of a cluster; it expires 400 days after its last change.
public final class RedisQuotaStore: QuotaStore {
  let connection: RedisConnection
  private let key: String
  private let probeKey: String
  private let calendar: QuotaCalendar
  private let time: HostTime
  private let script: QuotaScript
  private let state = Mutex(State())

  private struct State {
    var expectation = Expectation()
    // How far the server's clock is ahead of the host's, as last seen: day boundaries are sent around the server's time.
    var offset = 0
  }

  /// `prefix` separates installations that share a server.
  public convenience init(
    url: String, prefix: String = "tubeline:quota:", calendar: QuotaCalendar, time: HostTime = .system
  ) throws(QuotaStoreError) {
    try self.init(url: url, prefix: prefix, calendar: calendar, time: time, script: QuotaScript())
  }

  init(url: String, prefix: String, calendar: QuotaCalendar, time: HostTime, script: QuotaScript) throws(QuotaStoreError) {
    do throws(RedisError) {
      connection = RedisConnection(try RedisURL(url))
    } catch {
      throw QuotaStoreError(redis: error)
    }
    key = prefix + "ledger"
    probeKey = prefix + "probe"
    self.calendar = calendar
    self.time = time
    self.script = script
  }

  public func reserve(_ bucket: Bucket, cost: Int, policy: QuotaPolicy) async throws(QuotaStoreError) -> Reservation {
    try QuotaPolicy.check(cost: cost)
    let terms = policy.terms(for: bucket)
    let expectation = state.withLock { $0.expectation }
    let (memory, written) = (expectation.memory, expectation.written)
    let answer = try await runInWindow(
      script.reserve, bucket,
      [
        String(cost), String(terms.limit), String(terms.usable), text(terms.allowance), text(terms.requestInterval),
        String(terms.requestBurst), Ledger.randomID(), memory?.id ?? "", text(memory?.sequence), text(memory?.time),
        expectation.acceptsDoubt ? "1" : "", expectation.writer, text(written?.sequence), text(written?.time), text(memory?.clock),
        text(written?.clock),
      ], by: expectation.writer)
    let (seen, reservation) = try answer.reservation(bucket: bucket, cost: cost)
    state.withLock { $0.expectation.met(by: reservation, seen, as: expectation.writer) }
    return reservation
  }

  public func remember() async throws(QuotaStoreError) {
    let (now, ledger) = try await run(script.status, [""]).ledger(key: key)
    guard !ledger.id.isEmpty else { return }
    let writer = state.withLock { state in
      state.expectation.see(ledger.memory(at: now))
      return state.expectation.writer
    }
    // What hinders this entry, the first reservation will tell.
    guard let entry = try? await run(script.join, ["", writer]).joined() else { return }
    state.withLock { $0.expectation.entered(entry, as: writer) }
  }

  public func refund(_ grant: Grant) async throws(QuotaStoreError) {
    let arguments = [
      grant.bucket.rawValue, String(grant.cost), String(grant.day.start), String(grant.day.end), grant.ledger, String(grant.time),
    ]
    _ = try await run(script.refund, arguments)
  }

  public func exhaust(_ bucket: Bucket, day: QuotaDay?, policy: QuotaPolicy) async throws(QuotaStoreError) {
    let limit = policy.terms(for: bucket).limit
    _ = try await runInWindow(script.exhaust, bucket, [String(limit), text(day?.start), text(day?.end), Ledger.randomID()])
  }

  @discardableResult
  public func answered(_ grant: Grant) async throws(QuotaStoreError) -> Bool {
    let arguments = [grant.bucket.rawValue, String(grant.day.start), String(grant.day.end)]
    return try await run(script.answered, arguments).kind == "done"
  }

  public func status(_ policy: QuotaPolicy) async throws(QuotaStoreError) -> [BucketStatus] {
    let (now, ledger) = try await run(script.status, [""]).ledger(key: key)
    return Bucket.allCases.map { ledger.status($0, limit: policy.terms(for: $0).limit, now: now, calendar: calendar) }
  }

  public func probe() async throws(QuotaStoreError) {
    let (now, ledger) = try await run(script.status, [""]).ledger(key: key)
    try ledger.checkClock(now)
    do throws(RedisError) {
      _ = try await connection.evaluate(QuotaScript.probe, keys: [probeKey], arguments: [])
    } catch {
      throw QuotaStoreError(redis: error, key: probeKey)
    }
  }

  @discardableResult
  public func set(_ bucket: Bucket, spent: Int) async throws(QuotaStoreError) -> Int {
    let answer = try await runInWindow(script.set, bucket, [String(spent), Ledger.randomID()])
    return try answer.int(1)
  }

  public func clearExhaustion(_ bucket: Bucket) async throws(QuotaStoreError) {
    _ = try await run(script.clearExhaustion, [bucket.rawValue])
  }

  public func acceptDataLoss() async { state.withLock { $0.expectation = .anything } }

  public func close() async { await connection.close() }

  private func run(_ script: RedisScript, _ arguments: [String]) async throws(QuotaStoreError) -> QuotaScriptAnswer {
    do throws(RedisError) {
      return QuotaScriptAnswer(try await connection.evaluate(script, keys: [key], arguments: arguments))
    } catch {
      throw QuotaStoreError(redis: error, key: key)
    }
  }

  // A second try is needed only when the host's clock, or our idea of how wrong it is, was off by more than a day.
  private func runInWindow(
    _ script: RedisScript, _ bucket: Bucket, _ rest: [String], by writer: String = ""
  ) async throws(QuotaStoreError) -> QuotaScriptAnswer {
    for _ in 0..<5 {
      let around = time.now() + state.withLock { $0.offset }
      let answer = try await run(script, [bucket.rawValue] + calendar.boundaries(around: around).map(String.init) + rest)
      switch answer.kind {
      case "window":
        let serverTime = try answer.int(1)
        state.withLock { $0.offset = serverTime - time.now() }
      case "behind": throw .clockBehind(now: try answer.int(1), seen: try answer.int(2))
      case "lost":
        if let marked = try answer.marked() { state.withLock { $0.expectation.entered(marked, as: writer) } }
        throw .dataLoss(QuotaStoreError.DataLoss(rawValue: try answer.string(1)) ?? .replaced)
      default: return answer
      }
    }
    throw QuotaStoreError(.unreachable, "The quota day changed faster than the store answered.")
  }

  private func text(_ number: Int?) -> String { number.map(String.init) ?? "" }
}
