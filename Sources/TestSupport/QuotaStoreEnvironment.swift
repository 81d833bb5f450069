public import Quota
import Synchronization

/// A ledger under test: opens stores on it, moves its clock, and does to it what operators and accidents do.
public struct QuotaStoreEnvironment: Sendable {
  /// One more store on the same ledger, as another process would open it.
  public let makeStore: @Sendable () async throws -> any QuotaStore
  /// Sets the store's clock, in milliseconds since 1970.
  public let setTime: @Sendable (Int) async throws -> Void
  public let erase: @Sendable () async throws -> Void
  /// Copies the ledger; the closure it returns puts the copy back.
  public let save: @Sendable () async throws -> @Sendable () async throws -> Void

  public init(
    makeStore: @escaping @Sendable () async throws -> any QuotaStore, setTime: @escaping @Sendable (Int) async throws -> Void,
    erase: @escaping @Sendable () async throws -> Void, save: @escaping @Sendable () async throws -> @Sendable () async throws -> Void
  ) {
    self.makeStore = makeStore
    self.setTime = setTime
    self.erase = erase
    self.save = save
  }

  /// The days of the suite: 24 hours of UTC.
  public static let calendar = QuotaCalendar.fixedPeriod(.seconds(86_400))

  /// The memory store, which the others are compared with.
  public static func memory() -> QuotaStoreEnvironment {
    let ledger = MemoryLedger()
    let time = ManualTime()
    return QuotaStoreEnvironment(
      makeStore: { LedgerQuotaStore(ledger, calendar: calendar, time: time.hostTime) },
      setTime: { time.set($0) },
      erase: { ledger.ledger = nil },
      save: {
        let copy = ledger.ledger
        return { ledger.ledger = copy }
      })
  }
}

/// A host's time that a test sets.
public final class ManualTime: Sendable {
  private let milliseconds = Atomic(0)

  public init(_ time: Int = 0) { set(time) }

  public func set(_ time: Int) { milliseconds.store(time, ordering: .sequentiallyConsistent) }
  public var now: Int { milliseconds.load(ordering: .sequentiallyConsistent) }
  public var hostTime: HostTime { HostTime { self.now } }
}
