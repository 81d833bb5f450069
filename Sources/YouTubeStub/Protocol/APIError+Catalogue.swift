import JSON

/// The errors that the stub itself finds.
extension APIError {
  // MARK: Parameters

  static func required(_ parameter: String) -> APIError {
    APIError(400, "required", domain: "global", message: "Required parameter: \(parameter)", location: parameter)
  }

  static func unknownPart(_ part: String) -> APIError {
    APIError(400, "unknownPart", domain: "youtube.part", message: "'\(part)'", location: "part")
  }

  static func noFilter(_ filters: [String]) -> APIError {
    APIError(
      400, "missingRequiredParameter", domain: "youtube.parameter",
      message: "No filter selected. Expected one of: \(filters.joined(separator: ", "))", location: "parameters.", locationType: "other")
  }

  static func incompatible(_ parameters: [String]) -> APIError {
    APIError(
      400, "incompatibleParameters", domain: "youtube.parameter",
      message: "Incompatible parameters specified in the request: \(parameters.joined(separator: ", "))", location: "parameters.",
      locationType: "other")
  }

  static let invalidFilters = APIError(
    400, "invalidFilters", domain: "youtube.parameter", message: "The request specifies an invalid filter parameter.",
    location: "parameters.",
    locationType: "other")

  static let invalidPageToken = APIError(
    400, "invalidPageToken", domain: "youtube.parameter", message: "The request specifies an invalid page token.", location: "pageToken")

  static func outOfRange(_ parameter: String, _ value: Int, _ range: ClosedRange<Int>) -> APIError {
    APIError(
      400, "invalidParameter", domain: "global",
      message: "Invalid value '\(value)'. Values must be within the range: [\(range.lowerBound), \(range.upperBound)]", location: parameter)
  }

  static func invalidArgument(_ message: String = "Request contains an invalid argument.", fields: [(String, String)] = []) -> APIError {
    let violations = fields.map { field, description -> JSONTree in
      field.isEmpty ? ["description": .string(description)] : ["field": .string(field), "description": .string(description)]
    }
    return APIError(
      400, fields.isEmpty ? "badRequest" : "invalid", domain: "global", message: message, code: "INVALID_ARGUMENT",
      details: violations.isEmpty
        ? [] : [["@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": .array(violations)]])
  }

  static func unknownName(_ name: String) -> APIError {
    let text =
      "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. Field '\(name)' could not "
      + "be found in request message."
    return invalidArgument(text, fields: [("", text)])
  }

  static func invalidFields(_ path: String) -> APIError {
    APIError(
      400, "invalidParameter", domain: "global", message: "Invalid field selection \(path)", location: "fields", code: "INVALID_ARGUMENT",
      details: [
        [
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          "fieldViolations": [
            [
              "field": .string(path),
              "description": .string("Error expanding 'fields' parameter. Cannot find matching fields for path '\(path)'."),
            ]
          ],
        ]
      ])
  }

  static func authorizationRequired(_ parameter: String) -> APIError {
    APIError(
      401, "authorizationRequired", domain: "youtube.parameter",
      message: "The request uses the <code>\(parameter)</code> parameter but is not properly authorized.", location: parameter)
  }

  // MARK: Things that are not there

  static let playlistNotFound = APIError(
    404, "playlistNotFound", domain: "youtube.playlistItem",
    message: "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.", location: "playlistId")

  static let channelNotFound = APIError(
    404, "channelNotFound", domain: "youtube.playlist", message: "Channel not found.", location: "channelId")

  static let methodNotAllowed = APIError(405, "httpMethodNotAllowed", domain: "global", message: "Method Not Allowed")

  // MARK: Key and quota

  static let keyMissing = APIError(
    403, "forbidden", domain: "global",
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other "
      + "form of API consumer identity to call this API.",
    code: "PERMISSION_DENIED")

  static let keyInvalid = APIError(
    400, "badRequest", domain: "global", message: "API key not valid. Please pass a valid API key.", code: "INVALID_ARGUMENT",
    details: [info("API_KEY_INVALID", ["service": "youtube.googleapis.com"])])

  static let keyExpired = APIError(
    400, "badRequest", domain: "global", message: "API key expired. Please renew the API key.", code: "INVALID_ARGUMENT",
    details: [info("API_KEY_INVALID", ["service": "youtube.googleapis.com"])])

  static let referrerBlocked = APIError(
    403, "forbidden", domain: "global", message: "Requests from referer <empty> are blocked.", code: "PERMISSION_DENIED",
    details: [info("API_KEY_HTTP_REFERRER_BLOCKED", ["service": "youtube.googleapis.com", "consumer": "projects/000000000000"])])

  static let serviceBlocked = APIError(
    403, "forbidden", domain: "global",
    message: "Requests to this API youtube method youtube.api.v3.V3DataChannelService.List are blocked.", code: "PERMISSION_DENIED",
    details: [info("API_KEY_SERVICE_BLOCKED", ["service": "youtube.googleapis.com", "consumer": "projects/000000000000"])])

  static let serviceDisabled: APIError = {
    let address = "https://console.developers.google.com/apis/api/youtube.googleapis.com/overview?project=000000000000"
    return APIError(
      403, "accessNotConfigured", domain: "usageLimits",
      message:
        "YouTube Data API v3 has not been used in project 000000000000 before or it is disabled. Enable it by visiting "
        + "\(address) then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our "
        + "systems and retry.",
      code: "PERMISSION_DENIED",
      details: [
        [
          "@type": "type.googleapis.com/google.rpc.Help",
          "links": [["description": "Google developers console API activation", "url": .string(address)]],
        ],
        info("SERVICE_DISABLED", ["service": "youtube.googleapis.com", "consumer": "projects/000000000000"]),
      ])
  }()

  static let quotaExceeded = APIError(
    403, "quotaExceeded", domain: "youtube.quota",
    message: "The request cannot be completed because you have exceeded your <a href=\"/youtube/v3/getting-started#quota\">quota</a>.")

  static func searchQuotaExceeded(limit: Int) -> APIError {
    rateLimitExceeded(
      "Search Queries", per: "day", limit: ("defaultSearchListPerDayPerProject", "1/d/{project}", limit), metric: "search_list")
  }

  /// A limit per minute: what a client may wait for, unlike the daily one of the same status and reason.
  static let shortRateLimit = rateLimitExceeded(
    "Queries", per: "minute", limit: ("defaultPerMinutePerProject", "1/min/{project}", 1800), metric: "default")

  private static func rateLimitExceeded(
    _ metricName: String, per span: String, limit: (name: String, unit: String, value: Int), metric: String
  ) -> APIError {
    APIError(
      429, "rateLimitExceeded", domain: "global",
      message:
        "Quota exceeded for quota metric '\(metricName)' and limit '\(metricName) per \(span)' of service "
        + "'youtube.googleapis.com' for consumer 'project_number:000000000000'.",
      code: "RESOURCE_EXHAUSTED",
      details: [
        info(
          "RATE_LIMIT_EXCEEDED",
          [
            "quota_limit": .string(limit.name), "quota_unit": .string(limit.unit), "service": "youtube.googleapis.com",
            "quota_metric": .string("youtube.googleapis.com/\(metric)"), "consumer": "projects/000000000000", "quota_location": "global",
            "quota_limit_value": .string(String(limit.value)),
          ])
      ])
  }
}
