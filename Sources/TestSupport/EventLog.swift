import Synchronization

/// What happened, in order. Tests wait for it instead of sleeping.
public final class EventLog<Event: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let ticket: Int
    let isSatisfied: @Sendable ([Event]) -> Bool
    let wake: CheckedContinuation<[Event], Never>
  }

  private struct State: Sendable {
    var events: [Event] = []
    var waiters: [Waiter] = []
    var nextTicket = 0
  }

  private let state = Mutex(State())

  public init() {}

  public var events: [Event] { state.withLock { $0.events } }
  public var count: Int { state.withLock { $0.events.count } }

  public func append(_ event: Event) {
    let (events, woken) = state.withLock { state -> ([Event], [Waiter]) in
      state.events.append(event)
      let events = state.events
      let woken = state.waiters.filter { $0.isSatisfied(events) }
      state.waiters.removeAll { $0.isSatisfied(events) }
      return (events, woken)
    }
    for waiter in woken { waiter.wake.resume(returning: events) }
  }

  /// Returns all events as soon as they satisfy the condition, or when the caller is cancelled: a time limit must end a test.
  @discardableResult
  public func wait(until isSatisfied: @escaping @Sendable ([Event]) -> Bool) async -> [Event] {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let events = state.withLock { state -> [Event]? in
          if Task.isCancelled || isSatisfied(state.events) { return state.events }
          state.waiters.append(Waiter(ticket: ticket, isSatisfied: isSatisfied, wake: wake))
          return nil
        }
        if let events { wake.resume(returning: events) }
      }
    } onCancel: {
      let (waiter, events) = state.withLock { state -> (Waiter?, [Event]) in
        let place = state.waiters.firstIndex { $0.ticket == ticket }
        return (place.map { state.waiters.remove(at: $0) }, state.events)
      }
      waiter?.wake.resume(returning: events)
    }
  }

  @discardableResult
  public func wait(forCount count: Int) async -> [Event] { await wait { $0.count >= count } }
}
