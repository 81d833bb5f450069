import Kafka

/// `KAFKA_SASL_PASSWORD_FILE=/run/secrets/kafka` for `KAFKA_SASL_PASSWORD`: every secret property of librdkafka can lie in a file.
enum KafkaSecretFiles {
  private static let suffix = "_FILE"

  /// The variables with the secrets in the place of the files that hold them.
  static func resolve(_ variables: [String: String]) throws(SettingError) -> [String: String] {
    var resolved = variables
    for (variable, path) in variables.sorted(by: { $0.key < $1.key }) where holdsPath(variable) {
      resolved[variable] = nil
      guard !path.isEmpty else { continue }
      let target = String(variable.dropLast(suffix.count))
      guard variables[target]?.isEmpty ?? true else { throw SettingError(variable, "is set, and \(target) too; set one of them") }
      resolved[target] = try SecretFile.read(path, variable: variable)
    }
    return resolved
  }

  static func holdsPath(_ variable: String) -> Bool {
    variable.hasPrefix("KAFKA_") && variable.hasSuffix(suffix)
      && KafkaConfiguration.isSecret(variable: String(variable.dropLast(suffix.count)))
  }
}
