/// Some records of a `send` were not acknowledged; the others were.
public struct ProduceError: Error, Sendable, CustomStringConvertible {
  public struct Failure: Sendable {
    /// Position in the sent array.
    public let index: Int
    public let error: KafkaError
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

  public var description: String { "\(failures.count) not acknowledged, first record \(failures[0].index): \(first)" }
}
