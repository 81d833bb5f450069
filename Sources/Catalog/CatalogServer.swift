import FoundationEssentials
import HTTPServer
import JSON
import Telemetry

/// The page, its API, and /healthz, /readyz and /metrics on one port.
final class CatalogServer: Sendable {
  private let server: HTTPServer

  init(host: String, port: Int, api: CatalogAPI) throws {
    CatalogMetrics.declareServing(in: api.metrics)
    server = try HTTPServer(host: host, port: port, limits: Self.limits) { request in
      if let answer = Self.probe(request, api) { return answer }
      do throws(Problem) { try api.access.checkHost(request) } catch { return .now(SecurityHeaders.added(to: error.response)) }
      if request.path == "/api" || request.path.hasPrefix("/api/") {
        return .later { SecurityHeaders.added(to: await api.answer(request)) }
      }
      let file = StaticFiles.answer(request) ?? .text("There is no such page.\n", status: 404)
      return .now(SecurityHeaders.added(to: file))
    }
  }

  // Probes ask by address, so these know no names of hosts.
  private static func probe(_ request: HTTPServer.Request, _ api: CatalogAPI) -> HTTPServer.Answer? {
    guard ["/healthz", "/readyz", "/metrics"].contains(request.path) else { return nil }
    guard request.method == "GET" || request.method == "HEAD" else { return .now(Problem.method(["GET", "HEAD"]).response) }
    switch request.path {
    case "/healthz": return .now(.text("ok\n"))
    case "/readyz": return .later { await readiness(api) }
    default: return .later { await exposition(api) }
    }
  }

  // Small requests, patient readers of events.
  private static var limits: HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    limits.bodyBytes = RequestBody.mostBytes
    limits.headerBytes = 16 << 10
    limits.connections = 1000
    limits.requestTimeout = .seconds(10)
    limits.answerTimeout = .seconds(60)
    limits.idleTimeout = .seconds(60)
    limits.tooLarge = SecurityHeaders.added(
      to: Problem(.tooLarge, "The body is larger than \(RequestBody.mostBytes) bytes.").response)
    return limits
  }

  var address: String { server.address }

  func stop(grace: Duration) async { await server.stop(grace: grace) }

  /// Ready is who can answer; a broker that is away makes what is shown older, not wrong.
  private static func readiness(_ api: CatalogAPI) async -> HTTPServer.Response {
    let view = try? await CatalogueView.read(api.store, api.pipeline)
    var response = HTTPServer.Response.api { writer in
      writer.member("ready", view != nil)
      writer.member("consuming", view?.state.rawValue)
      writer.member("behind", view?.behind)
    }
    response.status = view == nil ? 503 : 200
    return response
  }

  private static func exposition(_ api: CatalogAPI) async -> HTTPServer.Response {
    ProcessMetrics.update(api.metrics)
    let view = try? await CatalogueView.read(api.store, api.pipeline)
    if let view {
      api.metrics.set(CatalogMetrics.videos, to: Double(view.videos))
      api.metrics.set(CatalogMetrics.channels, to: Double(view.channels))
    }
    api.metrics.set(CatalogMetrics.live, to: view?.state == .live ? 1 : 0)
    if let behind = view?.behind {
      api.metrics.set(CatalogMetrics.behind, to: Double(behind))
    } else {
      api.metrics.remove(CatalogMetrics.behind)
    }
    api.metrics.set(CatalogMetrics.streams, to: Double(api.hub.count))
    return .text(api.metrics.exposition(), type: "text/plain; version=0.0.4; charset=utf-8")
  }
}

/// What every answer tells browsers.
enum SecurityHeaders {
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'",
    "img-src 'self' " + PictureHost.all.map { "https://\($0)" }.joined(separator: " "),
    "font-src 'self'", "manifest-src 'self'", "connect-src 'self'", "frame-src https://www.youtube-nocookie.com", "base-uri 'none'",
    "form-action 'self'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static let headers = [
    HTTPServer.Header("Content-Security-Policy", policy), HTTPServer.Header("X-Content-Type-Options", "nosniff"),
    // The player refuses to play for a page that does not say where it is; others learn the origin at most.
    HTTPServer.Header("Referrer-Policy", "strict-origin-when-cross-origin"), HTTPServer.Header("X-Frame-Options", "DENY"),
    HTTPServer.Header("Cross-Origin-Opener-Policy", "same-origin"), HTTPServer.Header("Cross-Origin-Resource-Policy", "same-origin"),
    HTTPServer.Header(
      "Permissions-Policy",
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), display-capture=()"),
  ]

  static func added(to response: HTTPServer.Response) -> HTTPServer.Response {
    var response = response
    response.headers += headers
    return response
  }
}
