/// Tells an outage from messages that fail by themselves: failures of so many different messages, with no success between them.
struct CircuitBreaker: Sendable {
  private static let mostRemembered = 1000

  private let threshold: Int
  private var failing: Set<String> = []
  /// Messages that failed while others succeeded: that they fail again says nothing of the API.
  private var outliers: Set<String> = []

  /// - Parameter threshold: how many different messages; 0 never opens.
  init(threshold: Int) { self.threshold = threshold }

  /// A message was answered as it should be.
  mutating func succeeded(_ message: String) {
    outliers.formUnion(failing)
    outliers.remove(message)
    if outliers.count > Self.mostRemembered { outliers = failing }
    if !failing.isEmpty { failing = [] }
  }

  /// A message failed that may succeed later. Returns whether this is an outage.
  mutating func failed(_ message: String) -> Bool {
    guard threshold > 0, !outliers.contains(message) else { return false }
    if failing.count < threshold { failing.insert(message) }
    return failing.count >= threshold
  }
}
