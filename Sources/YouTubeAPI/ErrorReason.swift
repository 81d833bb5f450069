/// What the API's reasons mean, as data (YouTube's and Google's error pages: https://developers.google.com/youtube/v3/docs/errors).
enum ErrorReason {
  enum Meaning: Equatable {
    case daily, short, transient, notFound
    case configuration(fix: String)
  }

  /// `details[].reason` of google.rpc.ErrorInfo (https://cloud.google.com/apis/design/errors#error_info).
  static func meaning(ofDetail reason: String) -> Meaning? {
    switch reason {
    case "RATE_LIMIT_EXCEEDED", "RESOURCE_QUOTA_EXCEEDED", "QUOTA_EXCEEDED": .short
    case "API_KEY_INVALID": .configuration(fix: wrongKey)
    case "API_KEY_EXPIRED": .configuration(fix: expiredKey)
    case "API_KEY_HTTP_REFERRER_BLOCKED": .configuration(fix: referrer)
    case "API_KEY_IP_ADDRESS_BLOCKED": .configuration(fix: address)
    case "API_KEY_SERVICE_BLOCKED":
      .configuration(fix: "Add the YouTube Data API v3 to the API restrictions of the key, in the Google Cloud console.")
    case "SERVICE_DISABLED", "SERVICE_NOT_VISIBLE": .configuration(fix: disabled)
    case "CONSUMER_INVALID", "CONSUMER_SUSPENDED", "CONSUMER_DELETED", "USER_PROJECT_DENIED", "BILLING_DISABLED":
      .configuration(fix: "Check the state of the key's project in the Google Cloud console.")
    case "CREDENTIALS_MISSING", "ACCESS_TOKEN_EXPIRED", "ACCESS_TOKEN_TYPE_UNSUPPORTED", "ACCOUNT_STATE_INVALID": .configuration(fix: noKey)
    case _ where reason.hasPrefix("API_KEY_"):
      .configuration(fix: "Check the restrictions of the API key in the Google Cloud console.")
    default: nil
    }
  }

  /// `errors[].reason`, with its domain and the HTTP status where the word alone has several meanings.
  static func meaning(of reason: String, domain: String?, status: Int) -> Meaning? {
    switch reason {
    case "quotaExceeded", "dailyLimitExceeded", "variableTermExpiredDailyExceeded": .daily
    case "rateLimitExceeded", "userRateLimitExceeded", "servingLimitExceeded", "concurrentLimitExceeded", "limitExceeded",
      "variableTermLimitExceeded":
      .short
    case "backendError", "internalError", "backendNotConnected", "notReady", "processingFailure": .transient
    case "SERVICE_UNAVAILABLE": status == 409 || status >= 500 ? .transient : nil
    case "channelNotFound", "playlistNotFound", "videoNotFound", "channelClosed", "channelSuspended", "channelForbidden",
      "playlistForbidden", "playlistItemsNotAccessible", "watchHistoryNotAccessible", "watchLaterNotAccessible":
      .notFound
    default: configuration(of: reason, status: status)
    }
  }

  private static func configuration(of reason: String, status: Int) -> Meaning? {
    switch reason {
    case "keyInvalid": .configuration(fix: wrongKey)
    case "keyExpired": .configuration(fix: expiredKey)
    case "accessNotConfigured": .configuration(fix: disabled)
    case "ipRefererBlocked", "refererBlocked", "referrerBlocked": .configuration(fix: referrer)
    case "dailyLimitExceededUnreg", "rateLimitExceededUnreg", "userRateLimitExceededUnreg", "unknownAuth": .configuration(fix: noKey)
    case "dailyLimitExceeded402", "quotaExceeded402", "user402":
      .configuration(fix: "The budget that was set for the project is used up: raise it in the Google Cloud console.")
    case "accountDeleted", "accountDisabled", "accountUnverified":
      .configuration(fix: "Check the account that owns the key's project in the Google Cloud console.")
    case _ where status == 401: .configuration(fix: noKey)
    default: nil
    }
  }

  static let missingKey = "Set YOUTUBE_API_KEY (or the file that YOUTUBE_API_KEY_FILE names) to a valid API key of your project."
  static let wrongKey = "The API says that the key is not valid. \(missingKey)"
  static let expiredKey = "The API says that the key has expired. \(missingKey)"
  static let noKey = "The API saw no usable API key: set YOUTUBE_API_KEY or YOUTUBE_API_KEY_FILE."
  static let disabled = "Enable the YouTube Data API v3 for the key's project in the Google Cloud console, and wait some minutes."
  static let referrer =
    "The key is limited to web pages, and a worker sends no referrer: remove that restriction, or make a key for servers."
  static let address = "The key is limited to other IP addresses: add this machine's address to the key's restrictions."
  static let zeroLimit =
    "The API says that the project's quota for this method is 0: ask for quota in the Google Cloud console. If it is merely used up today, "
    + "calls succeed again after midnight Pacific Time."
  static let wrongAddress = "Set YOUTUBE_API_URL to the API's base address, such as https://youtube.googleapis.com."
}
