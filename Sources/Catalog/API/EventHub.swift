import JSON
import Messages
import Synchronization

/// Hands what happens to everybody who listens. A reader that is too slow loses messages, and is told so; nobody waits for it.
final class EventHub: Sendable {
  /// Open streams at a time.
  static let most = 200
  // Messages that wait for one reader.
  private static let buffer = 256
  // Changed requests that wait to be told, about a minute's: beyond them readers had better read again.
  private static let mostChanged = 10_000
  // Of those that come at once: during a catch-up nobody wants to see every old event.
  private static let mostEvents = 50

  private struct Listener {
    let continuation: AsyncStream<[UInt8]>.Continuation
    var hasLost = false
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var next = 0
    var isClosed = false
    var changed: Set<ExactText> = []
    var hasRecords = false

    mutating func loseAll() { for id in listeners.keys { listeners[id]?.hasLost = true } }
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.listeners.count } }

  /// nil when there are too many, or the end is near.
  func listen() -> AsyncStream<[UInt8]>? {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.buffer))
    let id = state.withLock { state -> Int? in
      guard !state.isClosed, state.listeners.count < Self.most else { return nil }
      state.next += 1
      state.listeners[state.next] = Listener(continuation: continuation)
      return state.next
    }
    guard let id else { return nil }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
    // How long the reader waits before it comes again.
    continuation.yield(Array("retry: 3000\n\n".utf8))
    return stream
  }

  /// One message to all. `data` has no line breaks, as JSON that is not pretty.
  func send(_ event: String, _ data: [UInt8]) {
    deliver(Array("event: \(event)\ndata: ".utf8) + data + Array("\n\n".utf8))
  }

  /// Keeps connections, and finds those whose client is gone.
  func beat() { deliver(Array(": \n\n".utf8)) }

  private func deliver(_ message: [UInt8]) {
    state.withLock { state in
      for (id, listener) in state.listeners {
        if listener.hasLost {
          guard case .enqueued = listener.continuation.yield(Self.lost) else { continue }
          state.listeners[id]?.hasLost = false
        }
        if case .dropped = listener.continuation.yield(message) { state.listeners[id]?.hasLost = true }
      }
    }
  }

  private static let lost = Array("event: lost\ndata: {}\n\n".utf8)

  /// Collects what a transaction has changed; events go out at once.
  func publish(_ changes: CatalogChanges) async {
    for event in changes.events.suffix(Self.mostEvents) {
      if let bytes = EventView.bytes(event) { send("event", bytes) }
    }
    state.withLock { state in
      state.changed.formUnion(changes.requests)
      state.hasRecords = state.hasRecords || changes.records > 0
      if state.changed.count > Self.mostChanged {
        state.changed = []
        state.loseAll()
      }
    }
  }

  /// What has changed since the last call; requests beyond `limit` are left to the next one.
  func takeChanges(most limit: Int) -> (requests: [String], hasRecords: Bool) {
    state.withLock { state in
      let requests = Array(state.changed.prefix(limit))
      state.changed.subtract(requests)
      defer { state.hasRecords = false }
      return (requests.map(\.text), state.hasRecords)
    }
  }

  /// Something could not be told: before the next message every reader hears that it has missed something.
  func lose() { state.withLock { $0.loseAll() } }

  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return state.listeners.values.map(\.continuation)
    }
    for listener in listeners { listener.finish() }
  }
}
