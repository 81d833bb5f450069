import Kafka
import QuotaStores

/// Secrets are no flags, because process lists show flags.
public enum SecretFlag {
  /// Why a flag may not be given with this value; nil when it may. The value is never in it.
  public static func problem(_ variable: String, value: String?) -> String? {
    if variable == Setting.quotaStore.variable {
      guard let value, QuotaStoreURL.holdsPassword(value) else { return nil }
      return "the address holds a password, and process lists show flags; set QUOTA_STORE, or QUOTA_STORE_PASSWORD_FILE beside the address"
    }
    if variable == Setting.traceHeaders.variable {
      return "headers may hold tokens and are no flag, because process lists show flags; set \(variable)"
    }
    let isSecret =
      [Setting.apiKey, .quotaStorePassword, .catalogToken].contains { $0.variable == variable }
      || (!KafkaSecretFiles.holdsPath(variable) && KafkaConfiguration.isSecret(variable: variable))
    guard isSecret else { return nil }
    let name = variable == Setting.apiKey.variable ? "the key" : "a secret"
    return "\(name) is no flag, because process lists show flags; set \(variable) or \(variable)_FILE"
  }
}
