/// Properties of librdkafka that all clients of a process share.
///
/// Names and values: https://github.com/confluentinc/librdkafka/blob/v2.0.2/CONFIGURATION.md. A property that only consumers or only
/// producers know is left out where it does not fit.
public struct KafkaConfiguration: Sendable, Hashable {
  public var properties: [String: String]

  public init(bootstrapServers: String, properties: [String: String] = [:]) {
    self.properties = properties
    self.properties["metadata.broker.list"] = nil
    self.properties["bootstrap.servers"] = bootstrapServers
  }

  public var bootstrapServers: String { properties["bootstrap.servers"] ?? "" }

  /// `KAFKA_SECURITY_PROTOCOL=ssl` → `security.protocol: ssl`, for every `KAFKA_…` variable, `KAFKA_BOOTSTRAP_SERVERS` included.
  ///
  /// What Kubernetes injects for a service named `kafka` (`KAFKA_SERVICE_HOST`, `KAFKA_PORT_9092_TCP`, …) is left out.
  public static func properties(fromEnvironment environment: [String: String]) -> [String: String] {
    var properties: [String: String] = [:]
    for (variable, value) in environment where variable.hasPrefix("KAFKA_") && !isServiceLink(variable) {
      properties[property(of: variable)] = value
    }
    return properties
  }

  private static func property(of variable: String) -> String {
    variable.dropFirst(6).lowercased().split(separator: "_", omittingEmptySubsequences: false).joined(separator: ".")
  }

  public static func environmentVariable(of property: String) -> String {
    "KAFKA_" + property.uppercased().split(separator: ".", omittingEmptySubsequences: false).joined(separator: "_")
  }

  private static func isServiceLink(_ variable: String) -> Bool {
    variable == "KAFKA_SERVICE_HOST" || variable == "KAFKA_PORT" || variable.hasPrefix("KAFKA_SERVICE_PORT")
      || variable.hasPrefix("KAFKA_PORT_")
  }

  /// Whether a property's value must never be shown.
  public static func isSecret(_ property: String) -> Bool {
    ["password", "secret", "key.pem", "oauthbearer.config", "ssl_key"].contains { property.contains($0) }
  }

  /// As `isSecret`, for the name of an environment variable.
  public static func isSecret(variable: String) -> Bool {
    variable.hasPrefix("KAFKA_") && isSecret(property(of: variable))
  }

  /// Checks name and value of each property, in alphabetical order.
  public func validate() throws(KafkaConfigurationError) {
    guard !bootstrapServers.allSatisfy(\.isWhitespace) else {
      throw KafkaConfigurationError(property: "bootstrap.servers", reason: "is empty; give host:port, several separated by commas")
    }
    guard !bootstrapServers.utf8.contains(UInt8(ascii: "@")) else {
      // It would be shown in logs.
      throw KafkaConfigurationError(
        property: "bootstrap.servers", reason: "holds an @: user and password are KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD")
    }
    let scratch = NativeConfiguration()
    for (name, value) in properties.sorted(by: { $0.key < $1.key }) { try scratch.set(name, value) }
    try validateSecurity()
  }

  /// Takes the values of secrets out of texts; the longest first, since one may be a part of another.
  var redactor: @Sendable (String) -> String {
    let secrets = properties.filter { Self.isSecret($0.key) && !$0.value.isEmpty }.map(\.value).sorted { $0.utf8.count > $1.utf8.count }
    return { text in secrets.reduce(text) { $0.hiding($1) } }
  }
}

extension KafkaConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    properties.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.isSecret($0.key) ? "***" : $0.value)" }.joined(separator: " ")
  }

  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["properties": description]) }
}
