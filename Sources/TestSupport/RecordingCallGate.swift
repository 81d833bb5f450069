import Synchronization
public import YouTubeAPI

/// A gate that admits every call, at once or when a test lets it, and remembers what it was told.
public final class RecordingCallGate: CallGate {
  public struct Record: Sendable, Equatable {
    public var admitted: [APIMethod] = []
    public var refunded: [APIMethod] = []
    public var exhausted: [APIMethod] = []
  }

  private let state = Mutex(Record())
  private let gate: Gate
  /// Calls that have come to the gate.
  public let arrivals = EventLog<APIMethod>()

  /// - Parameter gate: what every call has to pass, as it has to wait for quota.
  public init(_ gate: Gate = Gate(isOpen: true)) { self.gate = gate }

  public var record: Record { state.withLock { $0 } }

  public func admit(_ method: APIMethod) async throws(CallRefusal) -> CallPermit {
    if Task.isCancelled { throw .cancelled }
    arrivals.append(method)
    do throws(CancellationError) { try await gate.pass() } catch { throw .cancelled }
    state.withLock { $0.admitted.append(method) }
    return CallPermit(method: method)
  }

  public func refund(_ permit: CallPermit) async { state.withLock { $0.refunded.append(permit.method) } }
  public func exhausted(_ permit: CallPermit) async { state.withLock { $0.exhausted.append(permit.method) } }
}
