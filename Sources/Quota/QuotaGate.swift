public import Telemetry

/// The one place of a process where calls wait for units: first come, first served in each bucket.
///
/// Only the first of a line asks the store; the others cost nothing. Buckets do not block each other.
public actor QuotaGate {
  /// What to do when the ledger this process has seen is gone: grant nothing until the operator speaks, or go on with the new one.
  public enum DataLossPolicy: String, Sendable, CaseIterable { case stop, reset }

  /// The store is asked again after this time at the latest, so that `tubeline quota set` is noticed.
  public static let longestPause = Duration.seconds(60)

  let store: any QuotaStore
  let policy: QuotaPolicy
  let onDataLoss: DataLossPolicy
  let clock: any Clock<Duration>
  let random: @Sendable () -> Double
  let logger: Logger
  let observer: @Sendable (QuotaGateEvent) -> Void
  var states: [Bucket: QuotaGateState]
  var failures: [Bucket: Int] = [:]
  var announced: Set<QuotaWaitReason> = []
  /// Units that were reserved for those who stand in line, until their turn comes.
  var spares: [Bucket: [Grant]] = [:]
  // Exhaustion that the store could not be told yet.
  var unreported: [Bucket: QuotaDay?] = [:]
  /// The days that the API called used up, and the buckets of which was told that it answers all the same.
  private var exhaustedDays: [Bucket: QuotaDay] = [:]
  private var contradicted: Set<Bucket> = []
  private let lines: [Bucket: WaitingLine]

  /// `random` gives numbers in `0 ..< 1`, for jitter.
  public init(
    store: any QuotaStore, policy: QuotaPolicy, onDataLoss: DataLossPolicy = .stop, clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }, logger: Logger = .silent,
    observer: @escaping @Sendable (QuotaGateEvent) -> Void = { _ in }
  ) {
    self.store = store
    self.policy = policy
    self.onDataLoss = onDataLoss
    self.clock = clock
    self.random = random
    self.logger = logger
    self.observer = observer
    states = Dictionary(uniqueKeysWithValues: Bucket.allCases.map { ($0, QuotaGateState(limit: policy.limit($0))) })
    lines = Dictionary(uniqueKeysWithValues: Bucket.allCases.map { ($0, WaitingLine()) })
  }

  /// Waits until `cost` units are granted, however long; only cancellation ends it otherwise, and then nothing stays spent.
  public func admit(_ bucket: Bucket, cost: Int) async throws(CancellationError) -> Grant {
    do throws(QuotaRefusal) { return try await admit(CallCost(bucket: bucket, units: cost), within: nil) } catch {
      throw CancellationError()
    }
  }

  /// The same, but where the ledger says that it takes longer than `patience`, it says until when instead.
  public func admit(_ call: CallCost, within patience: Duration?) async throws(QuotaRefusal) -> Grant {
    guard let line = lines[call.bucket] else { throw .cancelled }
    let outcome: Result<Grant, QuotaRefusal>
    do throws(QuotaRefusal) { outcome = .success(try await takeTurn(call, in: line, within: patience)) } catch { outcome = .failure(error) }
    await returnSpares(of: call.bucket, to: line)
    return try outcome.get()
  }

  private func takeTurn(_ call: CallCost, in line: WaitingLine, within patience: Duration?) async throws(QuotaRefusal) -> Grant {
    let (bucket, cost) = (call.bucket, call.units)
    do throws(CancellationError) { try await line.enter() } catch { throw .cancelled }
    defer { line.leave() }
    while true {
      if Task.isCancelled { throw .cancelled }
      if cost <= 1, let grant = await share(of: bucket, in: line) { return try await wanted(grant) }
      switch await attempt(bucket, cost: max(1, cost)) {
      case .granted(let grant): return try await wanted(grant)
      case .pause(_, let until?) where patience.map({ until.duration > $0 }) == true: throw .notBefore(until.time)
      case .pause(let duration, _):
        // It throws only when the task is cancelled, which the loop looks at.
        try? await clock.sleep(for: duration)
      }
    }
  }

  private func wanted(_ grant: Grant) async throws(QuotaRefusal) -> Grant {
    guard Task.isCancelled else { return grant }
    await refund(grant)
    throw .cancelled
  }

  /// Waits for what a method costs.
  public func admit(_ cost: CallCost) async throws(CancellationError) -> Grant { try await admit(cost.bucket, cost: cost.units) }

  /// The call was certainly not made: its units go back. If the store cannot be told, they count as spent.
  public func refund(_ grant: Grant) async {
    do throws(QuotaStoreError) {
      try await store.refund(grant)
      observer(.refunded(grant))
    } catch {
      logger.warning("Refund lost", ["quota.bucket": "\(grant.bucket)", "quota.units": .int(grant.cost), "error": "\(error)"])
    }
  }

  /// The API answered that the day's quota is used up: no process is granted more of this bucket before the reset.
  public func exhaust(_ grant: Grant) async { await exhaust(grant.bucket, day: grant.day) }

  public func exhaust(_ bucket: Bucket, day: QuotaDay? = nil) async {
    logger.warning(
      "The API says that the quota is used up",
      ["quota.bucket": "\(bucket)", "quota.remaining": states[bucket]?.remaining.map { .int($0) } ?? "unknown"])
    if let state = states[bucket], state.drift == nil { states[bucket]?.drift = state.remaining }
    exhaustedDays[bucket] = day
    contradicted.remove(bucket)
    observer(.exhausted(bucket))
    do throws(QuotaStoreError) {
      try await store.exhaust(bucket, day: day, policy: policy)
    } catch {
      unreported[bucket] = .some(day)
      logger.warning("Exhaustion not stored yet", ["quota.bucket": "\(bucket)", "error": "\(error)"])
    }
  }

  /// The API answered a call. After it had said that the day's units are used up, that is worth knowing: its word was wrong, or is so now.
  public func answered(_ grant: Grant) async {
    guard exhaustedDays[grant.bucket] == grant.day else { return }
    // What a store that is away is not told is a number in a report.
    guard (try? await store.answered(grant)) == true else { return }
    observer(.contradicted(grant.bucket))
    guard contradicted.insert(grant.bucket).inserted else { return }
    logger.warning(
      "The API answers although it had said that the quota is used up", ["quota.bucket": "\(grant.bucket)"])
  }

  /// Every bucket as this process knows it.
  public func state() -> [Bucket: QuotaGateState] {
    var result = states
    for (bucket, line) in lines { result[bucket]?.waiting = line.count }
    return result
  }
}
