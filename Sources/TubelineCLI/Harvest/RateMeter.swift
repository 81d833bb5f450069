import Telemetry

/// Records per second over the last few seconds.
struct RateMeter: Sendable {
  private var samples: [(at: Duration, count: Int)] = []
  private static let window = Duration.seconds(5)

  /// - Parameter elapsed: since the start, never falling.
  mutating func note(_ count: Int, at elapsed: Duration) {
    samples.append((elapsed, count))
    let oldest = elapsed - Self.window
    while samples.count > 2, samples[1].at <= oldest { samples.removeFirst() }
  }

  var perSecond: Double {
    guard let first = samples.first, let last = samples.last, last.at > first.at else { return 0 }
    return Double(last.count - first.count) / (last.at - first.at).seconds
  }
}
