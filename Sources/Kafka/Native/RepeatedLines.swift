import Synchronization

/// Lets a line through once in a while: the library says once a second, for each of its clients, that a broker is away.
final class RepeatedLines: Sendable {
  static let interval = Duration.seconds(30)
  private static let mostKinds = 200

  private struct Kind {
    var told: ContinuousClock.Instant
    var suppressed = 0
  }

  private let kinds = Mutex<[String: Kind]>([:])

  // Ports, counts and times make no line another one, nor do the thread before it and the connection's state behind it.
  private static func kind(of line: String) -> String {
    var text = line[...]
    if let thread = text.firstRange(of: "[thrd:"), let end = text[thread.upperBound...].firstRange(of: "]: ") {
      text = text[..<thread.lowerBound] + text[end.upperBound...]
    }
    if text.hasSuffix(")"), let tail = text.ranges(of: " (after ").last { text = text[..<tail.lowerBound] }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !("0"..."9").contains($0) }))
  }

  /// How many lines of this kind were kept back since the last one that was told; `nil` when this one is to be kept back, too.
  func suppressed(before line: String, at now: ContinuousClock.Instant = .now) -> Int? {
    let kind = Self.kind(of: line)
    return kinds.withLock { kinds in
      if var known = kinds[kind], now < known.told + Self.interval {
        known.suppressed += 1
        kinds[kind] = known
        return nil
      }
      let count = kinds[kind]?.suppressed ?? 0
      if kinds.count >= Self.mostKinds { kinds = kinds.filter { now < $0.value.told + Self.interval } }
      kinds[kind] = Kind(told: now)
      return count
    }
  }
}
