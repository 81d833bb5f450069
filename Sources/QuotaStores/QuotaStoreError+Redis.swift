import Quota
import Redis

extension QuotaStoreError {
  /// - Parameter key: that the command was about; without it no command was sent.
  init(redis error: RedisError, key: String? = nil) {
    let code: Code =
      switch error.code {
      case .invalidURL: .invalid
      case .closed: .closed
      default: error.isRetriable ? .unreachable : .refused
      }
    self.init(code, Self.text(error, key: key), underlying: error, isTimeout: error.code == .timeout)
  }

  /// What no ledger wrote, in the hash that is one.
  static func foreignNumbers(in key: String) -> QuotaStoreError {
    let what = "holds numbers that no ledger wrote"
    return QuotaStoreError(
      .refused, "\(name(key)) \(what). \(deletion(key))", underlying: RedisError(.unexpectedReply, what))
  }

  /// Times that no worker wrote, under the key of a watermark.
  static func foreignWatermark(in key: String) -> QuotaStoreError {
    QuotaStoreError(.foreignValue, "\(name(key)) holds times that no worker wrote. \(deletion(key))")
  }

  private static func text(_ error: RedisError, key: String?) -> String {
    if error.message.contains("DB index is out of range") {
      return "Redis has no database of the number at the end of QUOTA_STORE's address (\(error.message))."
    }
    if error.lacksPermission { return "\(error.message) \(RedisPermissions.sentence)" }
    guard let key else { return error.message }
    if error.isWrongType {
      return "\(name(key)) holds another kind of value than the quota store keeps there (WRONGTYPE). \(deletion(key))"
    }
    // The words of the scripts' own error().
    return error.message.contains("what no ledger wrote") ? foreignNumbers(in: key).message : error.message
  }

  private static func name(_ key: String) -> String { "The key \"\(key)\" in Redis" }

  // What is deleted under running workers is a loss to them until an operator has said what is spent.
  private static func deletion(_ key: String) -> String {
    "Look at it (redis-cli TYPE \(key)); if nothing else needs it, delete it (redis-cli DEL \(key))"
      + (key.hasSuffix("ledger") ? ", then say what is used today: `tubeline quota set default <units>`, and the other buckets." : ".")
  }
}
