/// Some records of a `send` were not acknowledged; the others were.
public struct ProduceError: Error, Sendable, CustomStringConvertible {
  public struct Failure: Sendable {
    /// Position in the sent array.
    public let index: Int
    public let error: KafkaError
    /// The record was sent, and no broker has said what became of it: it may be in the log, or may yet come there.
    public var isUncertain = false
  }

  /// In the order of the sent array, never empty.
  public let failures: [Failure]
  /// The error of the first record that failed.
  public let first: KafkaError

  init?(_ failures: [Failure]) {
    self.failures = failures.sorted { $0.index < $1.index }
    guard let first = self.failures.first else { return nil }
    self.first = first.error
  }

  /// Some record that was not acknowledged may be in the log all the same.
  public var isUncertain: Bool { failures.contains { $0.isUncertain } }

  public var description: String { "\(failures.count) not acknowledged, first record \(failures[0].index): \(first)" }
}
