import Processes

/// Whether a worker that died is started again.
struct RestartPolicy: Sendable {
  enum Decision: Sendable, Equatable {
    case restart(after: Duration)
    case giveUp
  }

  private var deaths: [WorkerFleet.Slot: [Duration]] = [:]
  static let most = 4
  static let period = Duration.seconds(120)

  /// - Parameter time: since the start of the harvest.
  mutating func died(_ slot: WorkerFleet.Slot, _ ending: ChildProcess.Ending, at time: Duration) -> Decision {
    // A wrong setting stays wrong.
    guard ending != .exited(2) else { return .giveUp }
    let recent = (deaths[slot] ?? []).filter { time - $0 < Self.period } + [time]
    deaths[slot] = recent
    return recent.count > Self.most ? .giveUp : .restart(after: .milliseconds(500 << (recent.count - 1)))
  }
}
