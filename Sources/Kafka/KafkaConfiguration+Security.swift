import Glibc

/// What librdkafka finds out only when it connects, or says without naming the property.
extension KafkaConfiguration {
  /// What Debian's librdkafka is built with; OAUTHBEARER is, too, but without a way to get tokens.
  private static let mechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI"]

  private static let files = [
    "ssl.ca.location", "ssl.certificate.location", "ssl.crl.location", "ssl.key.location", "ssl.keystore.location",
  ]

  func validateSecurity() throws(KafkaConfigurationError) {
    for property in Self.files { try validateFile(property) }
    try validatePair(("ssl.certificate.location", "ssl.certificate.pem"), ("ssl.key.location", "ssl.key.pem"))
    if let (_, name) = given("ssl.keystore.location"), given("ssl.keystore.password") == nil {
      throw KafkaConfigurationError(property: name, reason: "needs \(Self.environmentVariable(of: "ssl.keystore.password")), too")
    }
    try validateMechanism()
  }

  private var usesSASL: Bool { properties["security.protocol"]?.lowercased().hasPrefix("sasl_") ?? false }

  private func given(_ names: String...) -> (value: String, name: String)? {
    names.lazy.compactMap { name in properties[name].map { ($0, name) } }.first { !$0.0.isEmpty }
  }

  private func validateFile(_ property: String) throws(KafkaConfigurationError) {
    guard let (path, _) = given(property), !(property == "ssl.ca.location" && path == "probe") else { return }
    guard access(path, R_OK) == 0 else {
      throw KafkaConfigurationError(property: property, reason: "cannot read \"\(path)\": \(String(cString: strerror(errno)))")
    }
  }

  // librdkafka accepts either alone, and brokers then end the connection without a reason.
  private func validatePair(_ certificate: (String, String), _ key: (String, String)) throws(KafkaConfigurationError) {
    let one = given(certificate.0, certificate.1)
    let other = given(key.0, key.1)
    if let one, other == nil {
      throw KafkaConfigurationError(property: one.name, reason: "is a client certificate without its key; set \(Self.names(key)), too")
    }
    if let other, one == nil {
      throw KafkaConfigurationError(property: other.name, reason: "is a key without its certificate; set \(Self.names(certificate)), too")
    }
  }

  private static func names(_ pair: (String, String)) -> String {
    "\(environmentVariable(of: pair.0)) or \(environmentVariable(of: pair.1))"
  }

  private func validateMechanism() throws(KafkaConfigurationError) {
    let mechanism = given("sasl.mechanism", "sasl.mechanisms")
    if let mechanism, mechanism.value == "OAUTHBEARER", properties["enable.sasl.oauthbearer.unsecure.jwt"] != "true" {
      throw KafkaConfigurationError(property: mechanism.name, reason: "OAUTHBEARER is not supported, since nothing here gets tokens")
    }
    if let mechanism, !(Self.mechanisms + ["OAUTHBEARER"]).contains(mechanism.value) {
      throw KafkaConfigurationError(
        property: mechanism.name,
        reason: "there is no mechanism \"\(mechanism.value)\"; there are \(Self.mechanisms.joined(separator: ", "))")
    }
    guard usesSASL else { return }
    guard let mechanism else {
      throw KafkaConfigurationError(
        property: "sasl.mechanism", reason: "is not set; set it to one of \(Self.mechanisms.joined(separator: ", "))")
    }
    guard !["GSSAPI", "OAUTHBEARER"].contains(mechanism.value) else { return }
    for property in ["sasl.username", "sasl.password"] where given(property) == nil {
      throw KafkaConfigurationError(property: property, reason: "is not set, and \(mechanism.value) needs it")
    }
  }
}
