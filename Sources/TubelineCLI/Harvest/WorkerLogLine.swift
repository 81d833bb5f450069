import JSON
import Telemetry

/// A line that a worker wrote to standard error, as far as it matters here.
struct WorkerLogLine: Sendable, Equatable {
  let level: LogLevel
  let message: String
  /// The other fields as text, in order.
  let fields: [String]
  private let quotaReason: String?
  private let quotaUntil: String?
  private let bucket: String?
  let fix: String?

  /// Lines that are no JSON are what a program says when it cannot even start, or what a library prints: warnings.
  init(_ text: String) {
    guard text.hasPrefix("{"), let document = try? JSONDocument.parse(Array(text.utf8)), let message = document.root["message"]?.string
    else {
      self.init(level: .warning, message: text, fields: [], quotaReason: nil, quotaUntil: nil, bucket: nil, fix: nil)
      return
    }
    let root = document.root
    let fields = root.members.filter { !["time", "level", "logger", "message"].contains($0.key) }.map { member in
      "\(member.key) \(member.value.string ?? String(decoding: JSONTree(member.value).bytes(), as: UTF8.self))"
    }
    self.init(
      level: root["level"]?.string.flatMap(LogLevel.init) ?? .warning, message: message, fields: fields,
      quotaReason: root["quota.reason"]?.string, quotaUntil: root["quota.until"]?.string, bucket: root["quota.bucket"]?.string,
      fix: root["fix"]?.string)
  }

  private init(
    level: LogLevel, message: String, fields: [String], quotaReason: String?, quotaUntil: String?, bucket: String?, fix: String?
  ) {
    self.level = level
    self.message = message
    self.fields = fields
    self.quotaReason = quotaReason
    self.quotaUntil = quotaUntil
    self.bucket = bucket
    self.fix = fix
  }

  var text: String { fields.isEmpty ? message : "\(message) (\(fields.joined(separator: ", ")))" }

  /// The worker's calls wait for units from now on.
  var beginsQuotaWait: QuotaWait? {
    guard message == "Waiting for quota", let quotaReason else { return nil }
    return QuotaWait(bucket: bucket ?? "default", reason: quotaReason, until: quotaUntil)
  }

  var endsQuotaWait: String? { message == "Quota granted again" ? bucket ?? "default" : nil }

  /// Nothing goes on before a person acts; says how.
  var stopReason: String? { message.hasPrefix("The stage is stopped") ? fix ?? text : nil }
}

/// Why calls wait for units.
struct QuotaWait: Sendable, Equatable {
  let bucket: String
  let reason: String
  /// RFC 3339; nil when nobody knows.
  let until: String?

  /// The day's units are gone, as opposed to pacing or a store that does not answer.
  var isUsedUp: Bool { ["usedUp", "exhaustedByAPI", "reserve"].contains(reason) }

  var text: String {
    switch reason {
    case "usedUp": "the day's units are used up"
    case "exhaustedByAPI": "YouTube says that the day's units are used up"
    case "reserve": "the rest of the day's units is reserved for others"
    case "pacing": "even pacing"
    case "requestsPerMinute": "the limit of requests per minute"
    case "storeUnreachable": "the quota store does not answer"
    case "storeRefused": "the quota store refuses"
    case "clockBehind": "this machine's clock is behind"
    case "dataLoss": "the quota ledger lost its data (see tubeline quota set)"
    default: reason
    }
  }
}
