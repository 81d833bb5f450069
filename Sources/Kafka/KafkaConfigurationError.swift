/// A property that the client library does not know or whose value it refuses; never holds the value of a secret.
public struct KafkaConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// nil when properties contradict each other.
  public let property: String?
  public let reason: String

  public init(property: String?, reason: String) {
    self.property = property
    self.reason = reason
  }

  /// `security.protocol` → `KAFKA_SECURITY_PROTOCOL`.
  public var environmentVariable: String? { property.map(KafkaConfiguration.environmentVariable(of:)) }

  public var description: String {
    guard let property, let environmentVariable else { return "Kafka configuration: \(reason)" }
    return "Kafka property \(property) (\(environmentVariable)): \(reason)"
  }
}
