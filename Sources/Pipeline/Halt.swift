import FoundationEssentials

/// A stage at rest: nothing starts but one message at a time, which finds out whether the trouble is over.
struct Halt: Sendable {
  enum Cause: Sendable, Equatable {
    /// Somebody has to mend something.
    case stopped(fix: String)
    /// The circuit breaker is open: the API or the way to it is out of order.
    case outage(reason: String)

    /// Whether it is no news: the reasons of an outage differ from message to message.
    func isSameTrouble(as other: Cause) -> Bool {
      switch (self, other) {
      case (.outage, .outage): true
      default: self == other
      }
    }
  }

  var cause: Cause
  /// The message that asks, while it is handled.
  var probe: Int?
  var nextProbe: Date
  /// How many probes found the trouble still there.
  var failures = 0
}
