import HTTPServer

/// Which API keys are accepted, and what the others are told.
struct KeyCheck: Sendable {
  /// The only good key; without it every key is good but those with a meaning.
  let accepted: String?

  func check(_ request: HTTPServer.Request) throws(APIError) {
    let inQuery = request.query.last { $0.name == "key" || $0.name == "$key" }?.value
    guard let key = request.header("x-goog-api-key") ?? inQuery, !key.isEmpty else { throw .keyMissing }
    switch key {
    case "disabled-key": throw .serviceDisabled
    case "referrer-key": throw .referrerBlocked
    case "blocked-key": throw .serviceBlocked
    case "expired-key": throw .keyExpired
    case accepted: return
    default: if accepted != nil || key.hasPrefix("invalid") { throw .keyInvalid }
    }
  }
}
