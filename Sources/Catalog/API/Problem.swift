import HTTPServer
import JSON
import Telemetry

/// An answer of 400 and above (RFC 9457).
struct Problem: Error, Equatable {
  enum Code: String {
    case badRequest, unauthorized, forbidden, readOnly, crossSite, unknownHost, notFound, methodNotAllowed, conflict, tooLarge
    case unsupportedMediaType, unprocessable, tooManyRequests, `internal`, unavailable

    var status: Int {
      switch self {
      case .badRequest: 400
      case .unauthorized: 401
      case .forbidden, .readOnly, .crossSite, .unknownHost: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .conflict: 409
      case .tooLarge: 413
      case .unsupportedMediaType: 415
      case .unprocessable: 422
      case .tooManyRequests: 429
      case .internal: 500
      case .unavailable: 503
      }
    }

    var title: String {
      switch self {
      case .badRequest: "Bad Request"
      case .unauthorized: "Unauthorized"
      case .forbidden, .readOnly, .crossSite, .unknownHost: "Forbidden"
      case .notFound: "Not Found"
      case .methodNotAllowed: "Method Not Allowed"
      case .conflict: "Conflict"
      case .tooLarge: "Content Too Large"
      case .unsupportedMediaType: "Unsupported Media Type"
      case .unprocessable: "Unprocessable Content"
      case .tooManyRequests: "Too Many Requests"
      case .internal: "Internal Server Error"
      case .unavailable: "Service Unavailable"
      }
    }
  }

  let code: Code
  let detail: String
  var field: String?
  /// Of a request that may have been published.
  var requestID: String?
  var headers: [HTTPServer.Header] = []

  init(_ code: Code, _ detail: String, field: String? = nil, requestID: String? = nil) {
    self.code = code
    self.detail = detail
    self.field = field
    self.requestID = requestID
  }

  /// - Parameter methods: what the address does take.
  static func method(_ methods: [String]) -> Problem {
    var problem = Problem(.methodNotAllowed, "This address takes \(methods.joined(separator: ", ")).")
    problem.headers = [HTTPServer.Header("Allow", methods.joined(separator: ", "))]
    return problem
  }

  static func tooManyRequests(_ detail: String, retryAfter wait: Duration) -> Problem {
    var problem = Problem(.tooManyRequests, detail)
    problem.headers = [HTTPServer.Header("Retry-After", String(max(1, Int(wait.seconds.rounded(.up)))))]
    return problem
  }

  static let unauthorized: Problem = {
    var problem = Problem(.unauthorized, "This needs the catalogue's token: POST it to /api/session, or send it as Authorization: Bearer.")
    problem.headers = [HTTPServer.Header("WWW-Authenticate", "Bearer realm=\"tubeline-catalog\"")]
    return problem
  }()

  var response: HTTPServer.Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "about:blank")
      writer.member("title", code.title)
      writer.member("status", code.status)
      writer.member("detail", detail)
      writer.member("code", code.rawValue)
      writer.member("field", field)
      writer.member("requestId", requestID)
    }
    return HTTPServer.Response(
      status: code.status, headers: [HTTPServer.Header("Content-Type", "application/problem+json")] + headers, body: writer.bytes)
  }
}
