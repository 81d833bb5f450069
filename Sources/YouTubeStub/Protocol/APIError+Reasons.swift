/// The usual envelope of each reason, for faults that name a reason only.
extension APIError {
  private static let reasons: [String: (status: Int, domain: String, message: String, code: String?)] = [
    "backendError": (503, "global", "Backend Error", nil),
    "internalError": (500, "global", "Internal error encountered.", "INTERNAL"),
    "notReady": (503, "global", "The API server is not ready to accept requests.", nil),
    "backendNotConnected": (503, "global", "The request failed due to a connection error.", nil),
    "rateLimitExceeded": (403, "usageLimits", "Rate Limit Exceeded", nil),
    "userRateLimitExceeded": (403, "usageLimits", "User Rate Limit Exceeded", nil),
    "servingLimitExceeded": (403, "usageLimits", "The overall rate limit specified for the API has already been reached.", nil),
    "concurrentLimitExceeded": (403, "usageLimits", "Concurrent Limit Exceeded", nil),
    "limitExceeded": (403, "usageLimits", "Limit Exceeded", nil),
    "dailyLimitExceeded": (403, "usageLimits", "Daily Limit Exceeded", nil),
    "dailyLimitExceededUnreg": (403, "usageLimits", "Daily Limit for Unauthenticated Use Exceeded. Continued use requires signup.", nil),
    "quotaExceeded402": (402, "global", "The requested operation requires more resources than the quota allows.", nil),
    "dailyLimitExceeded402": (402, "global", "A daily quota limit set by the developer has been reached.", nil),
    "keyInvalid": (400, "usageLimits", "Bad Request", nil),
    "ipRefererBlocked": (403, "usageLimits", "The request did not specify any referer.", nil),
    "authError": (401, "global", "Invalid Credentials", "UNAUTHENTICATED"),
    "forbidden": (403, "global", "Forbidden", "PERMISSION_DENIED"),
    "playlistItemsNotAccessible": (403, "youtube.playlistItem", "Forbidden", nil),
    "videoNotFound": (404, "youtube.video", "Video not found.", nil),
    "channelClosed": (403, "youtube.channel", "The channel is closed.", nil),
    "channelSuspended": (403, "youtube.channel", "The channel has been suspended.", nil),
    "channelForbidden": (403, "youtube.channel", "The channel may not be accessed.", nil),
    "processingFailure": (400, "youtube.common", "The API server failed to successfully process the request.", nil),
  ]

  /// The error for a reason and a status, each of which may be missing.
  static func usual(status: Int?, reason: String?) -> APIError {
    switch reason {
    case "quotaExceeded" where status ?? 403 == 403: return quotaExceeded
    case "rateLimitExceeded" where status == 429: return shortRateLimit
    case "accessNotConfigured" where status ?? 403 == 403: return serviceDisabled
    case "API_KEY_INVALID": return keyInvalid
    case "API_KEY_HTTP_REFERRER_BLOCKED": return referrerBlocked
    case "API_KEY_SERVICE_BLOCKED": return serviceBlocked
    case "playlistNotFound": return playlistNotFound
    case "channelNotFound": return channelNotFound
    case "invalidPageToken": return invalidPageToken
    default: break
    }
    let reason = reason ?? usualReason(status ?? 500)
    guard let known = reasons[reason] else {
      return APIError(status ?? 400, reason, domain: "youtube.\(reason)", message: "The request failed: \(reason).")
    }
    return APIError(status ?? known.status, reason, domain: known.domain, message: known.message, code: known.code)
  }

  private static func usualReason(_ status: Int) -> String {
    switch status {
    case 400: "badRequest"
    case 401: "authError"
    case 403: "forbidden"
    case 404: "notFound"
    case 429: "rateLimitExceeded"
    case 500: "internalError"
    default: status >= 500 ? "backendError" : "badRequest"
    }
  }
}
