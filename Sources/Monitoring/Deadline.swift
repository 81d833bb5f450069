/// A point in time that wakes the task which waits for `signal`.
public final class Deadline: Sendable {
  private let end: ContinuousClock.Instant
  private let timer: Task<Void, Never>

  public init(after duration: Duration, signal: Signal) {
    let end = ContinuousClock.now + duration
    self.end = end
    timer = Task {
      try? await Task.sleep(until: end, clock: .continuous)
      signal.raise()
    }
  }

  public var hasPassed: Bool { ContinuousClock.now >= end }

  public func cancel() { timer.cancel() }
}
