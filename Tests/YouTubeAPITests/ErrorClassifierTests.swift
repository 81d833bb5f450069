import FoundationEssentials
import Testing

@testable import YouTubeAPI

@Suite("Classification of errors", .timeLimit(.minutes(1)))
struct ErrorClassifierTests {
  enum Kind: String, Sendable { case daily, dailyZero, transient, configuration, notFound, rejected }

  private func kind(_ verdict: Verdict) -> Kind {
    switch verdict {
    case .dailyQuota(_, let isLimitZero): isLimitZero ? .dailyZero : .daily
    case .transient: .transient
    case .configuration: .configuration
    case .notFound: .notFound
    case .rejected: .rejected
    }
  }

  @Test(
    .enabled(if: Fixtures.areThere, "there are no recorded answers"),
    arguments: [
      ("error_400_badRequest_API_KEY_INVALID", Kind.configuration, "API_KEY_INVALID"),
      ("error_400_keyInvalid_old_shape", .configuration, "keyInvalid"),
      ("error_400_missingRequiredParameter_no_filter", .rejected, "missingRequiredParameter"),
      ("error_400_unknownPart_message_placeholder", .rejected, "unknownPart"),
      ("error_401_authError_invalid_credentials", .configuration, "authError"),
      ("error_403_accessNotConfigured_SERVICE_DISABLED", .configuration, "SERVICE_DISABLED"),
      ("error_403_forbidden_video", .rejected, "forbidden"),
      ("error_403_ipRefererBlocked_old_shape", .configuration, "ipRefererBlocked"),
      ("error_403_playlistForbidden", .notFound, "playlistForbidden"),
      ("error_403_playlistItemsNotAccessible", .notFound, "playlistItemsNotAccessible"),
      ("error_403_quotaExceeded", .daily, "quotaExceeded"),
      ("error_403_subscriptionForbidden", .rejected, "subscriptionForbidden"),
      ("error_404_channelNotFound_playlists", .notFound, "channelNotFound"),
      ("error_404_videoNotFound", .notFound, "videoNotFound"),
      ("error_429_search_daily_quota_RESOURCE_EXHAUSTED", .dailyZero, "RATE_LIMIT_EXCEEDED"),
      ("error_500_backendError", .transient, "backendError"),
      ("error_503_backendError", .transient, "backendError"),
    ])
  func recordedErrorsMeanWhatTheyMean(name: String, expected: Kind, reason: String) throws {
    let bytes = try Fixtures.bytes(name + ".json")
    let status = try #require(Int(name.split(separator: "_")[1]))
    let verdict = ErrorClassifier().verdict(on: HTTPResponse(status: status, body: bytes))
    #expect(kind(verdict) == expected)
    #expect(verdict.error.reason == reason)
    #expect(verdict.error.status == status)
    #expect(verdict.error.isRetriable == (expected == .transient))
  }

  @Test(arguments: [
    (403, "quotaExceeded", "youtube.quota", Kind.daily), (403, "dailyLimitExceeded", "usageLimits", .daily),
    (403, "rateLimitExceeded", "usageLimits", .transient), (403, "userRateLimitExceeded", "usageLimits", .transient),
    (429, "rateLimitExceeded", "global", .transient), (403, "servingLimitExceeded", "global", .transient),
    (403, "dailyLimitExceededUnreg", "usageLimits", .configuration), (402, "quotaExceeded402", "global", .configuration),
    (400, "keyExpired", "usageLimits", .configuration), (401, "required", "global", .configuration),
    (400, "required", "global", .rejected), (404, "playlistNotFound", "youtube.playlistItem", .notFound),
    (403, "channelClosed", "youtube.common", .notFound), (403, "channelSuspended", "youtube.common", .notFound),
    (403, "channelNotFound", "youtube.common", .notFound), (404, "notFound", "global", .rejected),
    (400, "invalidPageToken", "youtube.parameter", .rejected), (400, "invalidFilters", "youtube.parameter", .rejected),
    (409, "SERVICE_UNAVAILABLE", "youtube.CoreErrorDomain", .transient), (403, "SERVICE_UNAVAILABLE", "youtube.CoreErrorDomain", .rejected),
    (409, "conflict", "global", .rejected), (418, "teapot", "kitchen", .rejected), (599, "odd", "odd", .transient),
    (500, "quotaExceeded", "youtube.quota", .daily), (501, "notImplemented", "global", .rejected),
    (400, "backendError", "global", .transient),
    (302, "moved", "global", .transient),
  ])
  func theReasonDecidesBeforeTheStatus(status: Int, reason: String, domain: String, expected: Kind) {
    let body = #"{"error":{"code":\#(status),"message":"m","errors":[{"message":"m","domain":"\#(domain)","reason":"\#(reason)"}]}}"#
    #expect(kind(ErrorClassifier().verdict(on: HTTPResponse(status: status, body: Array(body.utf8)))) == expected)
  }

  @Test(arguments: [
    (#"{"quota_unit":"1/d/{project}","quota_limit_value":"100"}"#, "m", Kind.daily),
    (#"{"quota_unit":"1/min/{project}","quota_limit":"defaultPerMinutePerProject"}"#, "m per day", .transient),
    (#"{"quota_limit":"defaultSearchListPerDayPerProject"}"#, "m", .daily),
    (#"{"quota_limit":"defaultPerMinutePerProject"}"#, "m per day", .transient),
    ("{}", "Quota exceeded for quota metric 'Search Queries' and limit 'Search Queries per day'", .daily),
    ("{}", "Quota exceeded for limit 'Queries per minute'", .transient),
    ("[]", "m", .transient),
    (#"{"quota_unit":"1/min/{project}","quota_limit_value":"0"}"#, "m", .configuration),
    (#"{"quota_unit":"1/d/{project}","quota_limit_value":0}"#, "m", .dailyZero),
  ])
  func aRateLimitIsDailyByItsUnitOrNameOrElseItsMessage(metadata: String, message: String, expected: Kind) {
    let body = """
      {"error":{"code":429,"message":"\(message)","status":"RESOURCE_EXHAUSTED","errors":[{"reason":"rateLimitExceeded","domain":"global"}],
      "details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"reason":"RATE_LIMIT_EXCEEDED","metadata":\(metadata)}]}}
      """
    #expect(kind(ErrorClassifier().verdict(on: HTTPResponse(status: 429, body: Array(body.utf8)))) == expected)
  }

  @Test(arguments: [
    "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "API_KEY_SOMETHING_NEW", "SERVICE_DISABLED",
    "CREDENTIALS_MISSING", "API_KEY_EXPIRED",
  ])
  func keyTroubleNamesAFixEvenWithoutErrors(reason: String) {
    let body = #"{"error":{"code":403,"message":"Requests are blocked.","status":"PERMISSION_DENIED","details":[{"reason":"\#(reason)"}]}}"#
    guard case .configuration(let error, let fix) = ErrorClassifier().verdict(on: HTTPResponse(status: 403, body: Array(body.utf8))) else {
      Issue.record("no configuration failure")
      return
    }
    #expect(error.reason == reason)
    #expect(!fix.isEmpty)
  }

  @Test(arguments: [
    (400, "<html><body>Bad</body></html>", Kind.transient), (403, "<!DOCTYPE html><p>We're sorry...", .transient),
    (404, "<html>", .transient),
    (502, "<html>Bad Gateway</html>", .transient), (500, "", .transient), (403, "", .transient), (429, "", .transient),
    (503, #"{"error":{"code":503,"#, .transient), (503, "[]", .transient), (400, "{}", .rejected),
    (403, #"{"error":"access_denied"}"#, .rejected),
    (401, #"{"error":"invalid_token","error_description":"d"}"#, .configuration), (404, "{}", .rejected), (414, "<html>", .rejected),
    (401, "", .configuration), (500, #"{"error":null}"#, .transient), (403, "\u{0}\u{1}", .transient), (408, "{}", .transient),
    (400, #"{"error":{"errors":"x","details":7,"code":"y","message":[]}}"#, .rejected),
  ])
  func bodiesOfOtherShapesAreReadByStatus(status: Int, body: String, expected: Kind) {
    #expect(kind(ErrorClassifier().verdict(on: HTTPResponse(status: status, body: Array(body.utf8)))) == expected)
  }

  @Test func messagesAreOneShortLineWithoutTagsAndKey() {
    let message = #"Bad <a href=\"/x\">quota</a>\n\u0000 of key=TOP-SECRET &amp; a < b "# + String(repeating: "x", count: 5000)
    let body = #"{"error":{"code":403,"message":"\#(message)","errors":[{"reason":"quotaExceeded","domain":"youtube.quota"}]}}"#
    let classifier = ErrorClassifier(secret: Secret("TOP-SECRET"))
    let error = classifier.verdict(on: HTTPResponse(status: 403, body: Array(body.utf8))).error
    #expect(error.message.hasPrefix("Bad quota of key=*** & a < b xxx"))
    #expect(error.message.count == 501)
    #expect(classifier.verdict(on: TransportError(.other, "GET /?key=TOP-SECRET")).error.message == "GET /?key=***")
  }

  @Test(arguments: ["TOP-SECRET\u{301}", "T&#79;P-SECRET", "TOP<b></b>-SECRET", "&#84;OP-SECRE<i>T", "a=TOP-SECRETTOP-SECRET;"])
  func theKeyIsNotToldInDisguise(text: String) {
    let error = ErrorClassifier(secret: Secret("TOP-SECRET")).verdict(on: TransportError(.other, text)).error
    #expect(Array(error.message.utf8).firstRange(of: Array("TOP-SECRET".utf8)) == nil && error.message.unicodeScalars.contains("*"))
  }

  @Test(arguments: [
    ("3", Duration.seconds(3)), (" 0 ", .seconds(0)), ("99999", .seconds(300)), ("99999999999999999999999", .seconds(300)),
    ("Mon, 30 Nov 2026 00:00:05 GMT", .seconds(5)), ("Sun, 29 Nov 2026 00:00:05 GMT", .zero), ("soon", nil), ("-1", nil), ("", nil),
    ("1.5", nil), ("Mon, 31 Nov 2026 00:00:05 GMT", nil), ("Mon, 1 Xxx 2026 00:00:05 GMT", nil),
  ])
  func retryAfterIsSecondsOrADateUpToACap(text: String, expected: Duration?) throws {
    let now = Date(timeIntervalSince1970: 1_795_996_800)
    let response = HTTPResponse(status: 503, headers: [HTTPField("retry-after", text)], body: [])
    #expect(ErrorClassifier().verdict(on: response, now: now).error.retryAfter == expected)
  }
}
