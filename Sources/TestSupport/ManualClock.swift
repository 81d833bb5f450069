import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
  public struct Instant: InstantProtocol {
    public let offset: Swift.Duration

    public init(offset: Swift.Duration) { self.offset = offset }

    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let wake: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(id: Int, count: Int, signal: CheckedContinuation<Void, Never>)] = []

    mutating func satisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return satisfied.map(\.signal)
    }
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// How many tasks sleep now.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// When the first of them wakes, from now; `nil` when nobody sleeps.
  public var timeToNextWake: Swift.Duration? {
    state.withLock { state in state.sleepers.map(\.deadline).min().map { state.now.duration(to: $0) } }
  }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let slept = await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let (answer, signals) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
          if state.cancelled.contains(id) { return (false, []) }
          if deadline <= state.now { return (true, []) }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, wake: wake))
          return (nil, state.satisfiedWatchers())
        }
        if let answer { wake.resume(returning: answer) }
        for signal in signals { signal.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        state.cancelled.insert(id)
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
        return state.sleepers.remove(at: index)
      }
      sleeper?.wake.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    if !slept { throw CancellationError() }
  }

  /// Moves the time and wakes whoever is due, the earliest first.
  public func advance(by duration: Swift.Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in due { sleeper.wake.resume(returning: true) }
  }

  /// Returns when at least `count` tasks sleep, so that it is safe to advance, or when the waiting task is cancelled.
  public func waitUntilSleepers(_ count: Int) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (signal: CheckedContinuation<Void, Never>) in
        let signals = state.withLock { state in
          if state.cancelled.contains(id) { return [signal] }
          state.watchers.append((id, count, signal))
          return state.satisfiedWatchers()
        }
        for signal in signals { signal.resume() }
      }
    } onCancel: {
      let signals = state.withLock { state in
        state.cancelled.insert(id)
        let cancelled = state.watchers.filter { $0.id == id }
        state.watchers.removeAll { $0.id == id }
        return cancelled.map(\.signal)
      }
      for signal in signals { signal.resume() }
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }
}
