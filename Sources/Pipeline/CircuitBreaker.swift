/// Tells an outage from messages that fail by themselves: failures of so many different messages, with no success between them.
struct CircuitBreaker: Sendable {
  private let threshold: Int
  private var failing: Set<String> = []

  /// - Parameter threshold: how many different messages; 0 never opens.
  init(threshold: Int) { self.threshold = threshold }

  /// Something was answered as it should be.
  mutating func succeeded() { if !failing.isEmpty { failing = [] } }

  /// A message failed that may succeed later. Returns whether this is an outage.
  mutating func failed(_ message: String) -> Bool {
    guard threshold > 0 else { return false }
    if failing.count < threshold { failing.insert(message) }
    return failing.count >= threshold
  }
}
