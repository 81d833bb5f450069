import Synchronization
public import YouTubeAPI

/// A gate that admits every call, and remembers what it was told.
public final class RecordingCallGate: CallGate {
  public struct Record: Sendable, Equatable {
    public var admitted: [APIMethod] = []
    public var refunded: [APIMethod] = []
    public var exhausted: [APIMethod] = []
  }

  private let state = Mutex(Record())

  public init() {}

  public var record: Record { state.withLock { $0 } }

  public func admit(_ method: APIMethod) async throws(CancellationError) -> CallPermit {
    if Task.isCancelled { throw CancellationError() }
    state.withLock { $0.admitted.append(method) }
    return CallPermit(method: method)
  }

  public func refund(_ permit: CallPermit) async { state.withLock { $0.refunded.append(permit.method) } }
  public func exhausted(_ permit: CallPermit) async { state.withLock { $0.exhausted.append(permit.method) } }
}
