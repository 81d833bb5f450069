import JSON

/// The parts of Google's error body that decide something. Any of them may be missing.
struct ErrorEnvelope {
  /// `error.code`.
  var code: Int?
  /// `error.status`, such as RESOURCE_EXHAUSTED.
  var status: String?
  var message: String?
  /// `details[].reason`: today's exact reason.
  var detailReason: String?
  var detailDomain: String?
  /// `errors[].reason`.
  var reason: String?
  var domain: String?
  var debugInfo: String?
  var quotaUnit: String?
  var quotaLimit: String?
  var quotaLimitValue: String?

  /// `nil` if the value holds no error object.
  init?(_ root: JSONValue) {
    // OAuth answers carry a plain string.
    if let text = root["error"]?.string {
      message = root["error_description"]?.string ?? text
      return
    }
    guard let error = root["error"], error.kind == .object else { return nil }
    code = error["code"]?.count
    status = error["status"]?.filledString
    message = error["message"]?.filledString
    for entry in error["errors"].map({ Array($0.elements) }) ?? [] {
      guard let reason = entry["reason"]?.filledString else { continue }
      self.reason = reason
      domain = entry["domain"]?.filledString
      debugInfo = entry["debugInfo"]?.filledString
      message = message ?? entry["message"]?.filledString
      break
    }
    for entry in error["details"].map({ Array($0.elements) }) ?? [] {
      guard let reason = entry["reason"]?.filledString else { continue }
      detailReason = reason
      detailDomain = entry["domain"]?.filledString
      let metadata = entry["metadata"]
      quotaUnit = metadata?["quota_unit"]?.filledString
      quotaLimit = metadata?["quota_limit"]?.filledString
      quotaLimitValue = metadata?["quota_limit_value"]?.filledString ?? metadata?["quota_limit_value"]?.count.map(String.init)
      break
    }
  }

  enum Period { case day, short, unknown }

  /// The period of the limit that was hit: by its unit, then by its name, and by the message only if neither is there.
  var period: Period {
    if let quotaUnit { return quotaUnit.hasPrefix("1/d") ? .day : .short }
    if let name = quotaLimit ?? debugInfo {
      if name.contains("PerDay") { return .day }
      if name.contains("PerMinute") || name.contains("Per100Seconds") || name.contains("PerSecond") { return .short }
    }
    guard quotaLimit == nil, let message = message?.lowercased() else { return .unknown }
    if message.contains("per day") { return .day }
    return message.contains("per minute") || message.contains("per 100 seconds") ? .short : .unknown
  }

  var isLimitZero: Bool { quotaLimitValue == "0" }
}
