import Synchronization

/// Sessions of people who gave the token. They live in this process: after a restart the token is asked for again.
final class Sessions: Sendable {
  static let lifetime = Duration.seconds(12 * 3600)
  private static let most = 1000

  private let ends = Mutex<[String: ContinuousClock.Instant]>([:])
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// A new session's name: 256 random bits.
  func open() -> String {
    var generator = SystemRandomNumberGenerator()
    let name = (0..<4).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    let now = now()
    ends.withLock { ends in
      ends = ends.filter { $0.value > now }
      if ends.count >= Self.most, let oldest = ends.min(by: { $0.value < $1.value })?.key { ends[oldest] = nil }
      ends[name] = now + Self.lifetime
    }
    return name
  }

  func isOpen(_ name: String) -> Bool {
    let now = now()
    return ends.withLock { $0[name].map { $0 > now } ?? false }
  }

  func close(_ name: String) { ends.withLock { $0[name] = nil } }
}
