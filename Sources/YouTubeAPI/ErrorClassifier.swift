import FoundationEssentials
import JSON

/// Decides by `details[].reason`, then `errors[].reason` and domain, then the HTTP status; by the message only where a rate limit names
/// no period elsewhere.
struct ErrorClassifier {
  let retryAfterCap: Duration
  /// Never appears in a message.
  let secret: Secret?

  init(retryAfterCap: Duration = .seconds(300), secret: Secret? = nil) {
    self.retryAfterCap = retryAfterCap
    self.secret = secret
  }

  /// An answer whose status is not 200.
  func verdict(on response: HTTPResponse, now: Date = Date()) -> Verdict {
    let root = try? JSONDocument.parse(response.body).root
    return verdict(on: response, envelope: root.flatMap(ErrorEnvelope.init), isObject: root?.kind == .object, now: now)
  }

  /// An answer of status 200 that is no result: its envelope decides, if it has one.
  func verdict(onMalformed response: HTTPResponse, root: JSONValue?, now: Date = Date()) -> Verdict {
    if let root, let envelope = ErrorEnvelope(root), let code = envelope.code, code >= 400 {
      let inner = HTTPResponse(status: code, headers: response.headers, body: response.body)
      return verdict(on: inner, envelope: envelope, isObject: true, now: now)
    }
    let message = "The answer is not what the method returns: \(Self.opening(of: response.body))"
    return .transient(error(response, reason: "malformedAnswer", message: message, isRetriable: true, now: now))
  }

  func verdict(on failure: TransportError) -> Verdict {
    let isRetriable = failure.kind != .invalidURL
    let error = APIError(
      status: nil, reason: failure.kind.rawValue, message: PlainText.sanitised(failure.message, hiding: secret), isRetriable: isRetriable)
    return isRetriable ? .transient(error) : .configuration(error, fix: ErrorReason.wrongAddress)
  }

  private func verdict(on response: HTTPResponse, envelope: ErrorEnvelope?, isObject: Bool, now: Date) -> Verdict {
    let status = response.status
    guard let envelope else {
      let message = response.body.isEmpty ? "The answer is empty." : Self.opening(of: response.body)
      // Pages of proxies and front ends say nothing about the request, unless the status is about its form.
      let isTransient = isObject ? Self.isTransient(status) : !Self.isAboutForm(status)
      let error = error(response, reason: "http", message: message, isRetriable: isTransient, now: now)
      return isTransient ? .transient(error) : rejection(error, status)
    }
    let meaning = meaning(of: envelope, status: status)
    let isRetriable = meaning == .short || meaning == .transient
    let error = error(response, envelope, isRetriable: isRetriable, now: now)
    switch meaning {
    case .daily: return .dailyQuota(error, isLimitZero: envelope.isLimitZero)
    case .short where envelope.isLimitZero: return .configuration(error, fix: ErrorReason.zeroLimit)
    case .short, .transient: return .transient(error)
    case .notFound: return .notFound(error)
    case .configuration(let fix): return .configuration(error, fix: fix)
    case nil: return rejection(error, status)
    }
  }

  private func meaning(of envelope: ErrorEnvelope, status: Int) -> ErrorReason.Meaning? {
    let known =
      envelope.detailReason.flatMap(ErrorReason.meaning(ofDetail:))
      ?? envelope.reason.flatMap { ErrorReason.meaning(of: $0, domain: envelope.domain, status: status) }
    switch (known, envelope.period) {
    case (.short, .day): return .daily
    case (.daily, .short): return .short
    case (let known?, _): return known
    case (nil, let period):
      // RESOURCE_EXHAUSTED without a reason that is known.
      if status == 429 { return period == .day ? .daily : .short }
      // "SERVICE_UNAVAILABLE" of the core domain with a 403 is a refusal, whatever its name.
      return Self.isTransient(status) ? .transient : nil
    }
  }

  private func rejection(_ error: APIError, _ status: Int) -> Verdict {
    status == 401 ? .configuration(error, fix: ErrorReason.noKey) : .rejected(error)
  }

  private static func isTransient(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    case 501, 505: false
    default: status < 400 || status >= 500
    }
  }

  private static func isAboutForm(_ status: Int) -> Bool { [401, 405, 413, 414, 431, 501, 505].contains(status) }

  private func error(_ response: HTTPResponse, _ envelope: ErrorEnvelope, isRetriable: Bool, now: Date) -> APIError {
    let reason = envelope.detailReason ?? envelope.reason ?? envelope.status ?? "http"
    let domain = envelope.detailReason == nil ? envelope.domain : envelope.detailDomain ?? envelope.domain
    return error(
      response, reason: reason, domain: domain, message: envelope.message ?? "The answer names no cause.", isRetriable: isRetriable,
      now: now)
  }

  private func error(
    _ response: HTTPResponse, reason: String, domain: String? = nil, message: String, isRetriable: Bool, now: Date
  ) -> APIError {
    let retryAfter = response.header("Retry-After").flatMap { RetryAfter.duration($0, now: now) }
    return APIError(
      status: response.status, reason: PlainText.sanitised(reason, limit: 100, hiding: secret),
      domain: domain.map { PlainText.sanitised($0, limit: 100, hiding: secret) },
      message: PlainText.sanitised(message, hiding: secret), retryAfter: retryAfter.map { min($0, retryAfterCap) }, isRetriable: isRetriable
    )
  }

  private static func opening(of body: [UInt8]) -> String { String(decoding: body.prefix(2000), as: UTF8.self) }
}
