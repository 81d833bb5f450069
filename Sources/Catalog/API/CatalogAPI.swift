import HTTPServer
import JSON
import SQLite
import Telemetry

/// Answers requests for /api/.
struct CatalogAPI: Sendable {
  let store: CatalogStore
  let access: AccessPolicy
  let hub: EventHub
  let pipeline: any PipelineSource
  let publisher: any RequestPublisher
  let quota: any QuotaSource
  let metrics: Metrics
  let logger: Logger
  let underWay = RequestsUnderWay()

  func answer(_ request: HTTPServer.Request) async -> HTTPServer.Response {
    let begin = ContinuousClock.now
    let route = Route(request.path)
    var response: HTTPServer.Response
    do throws(Problem) { response = try await answer(request, route) } catch { response = error.response }
    // A page of the catalogue is as old as the answer; and nothing of it is for other sites.
    response.headers.append(HTTPServer.Header("Cache-Control", "no-store"))
    let name = route?.name ?? CatalogMetrics.unknownRoute
    metrics.add(CatalogMetrics.requests, 1, name, String(response.status))
    if route != .events { metrics.observe(CatalogMetrics.answers, (ContinuousClock.now - begin).seconds, name) }
    return response
  }

  private func answer(_ request: HTTPServer.Request, _ route: Route?) async throws(Problem) -> HTTPServer.Response {
    guard let route else { throw Problem(.notFound, "There is no such address; /api/openapi.json lists them.") }
    guard route.methods.contains(request.method) else { throw .method(route.methods) }
    do {
      switch request.method {
      case "POST", "PUT", "DELETE": return try await change(request, route)
      default: return try await read(request, route)
      }
    } catch let problem as Problem {
      throw problem
    } catch is CancellationError {
      throw Problem(.unavailable, "The catalogue is about to end.")
    } catch let error as SQLiteError where error.isRetriable || error == .closedDatabase {
      logger.warning("The database does not answer", ["error": .string(error.description)])
      throw Problem(.unavailable, "The database does not answer; try again.")
    } catch {
      logger.error("A request could not be answered", ["path": .string(VisibleText.of(request.path)), "error": "\(error)"])
      throw Problem(.internal, "A mistake of the catalogue's own; its log says more.")
    }
  }

  private func read(_ request: HTTPServer.Request, _ route: Route) async throws -> HTTPServer.Response {
    let parameters = Parameters(request.query)
    switch route {
    case .catalogue: return try await catalogue()
    case .channels: return try await channels(parameters)
    case .channel(let id): return try await channel(id)
    case .channelVideos(let id): return try await videos(ofChannel: id, parameters)
    case .videos: return try await videos(ofChannel: nil, parameters)
    case .video(let id): return try await video(id, parameters)
    case .search: return try await search(parameters)
    case .searchVideos(let id): return try await foundVideos(id, parameters)
    case .searchChannels(let id): return try await foundChannels(id, parameters)
    case .requests: return try await requests(parameters)
    case .request(let id): return try await self.request(id)
    case .quota: return try await quotaAnswer()
    case .pipeline: return try await pipelineAnswer()
    case .events: return try events(isWanted: request.method == "GET")
    case .session: return session(request)
    case .description: return .api(StaticFiles.bytes("openapi.json") ?? [])
    case .like: throw Problem.method(route.methods)
    }
  }

  private func change(_ request: HTTPServer.Request, _ route: Route) async throws -> HTTPServer.Response {
    if route == .session {
      try access.checkOrigin(request)
      return request.method == "DELETE" ? closeSession(request) : try openSession(request)
    }
    try access.checkWriting(request)
    switch (route, request.method) {
    case (.like(let id), let method): return try await like(id, method == "PUT")
    case (.requests, "POST"): return try await createRequest(request)
    case (.request(let id), "DELETE"): return try await cancelRequest(id)
    default: throw Problem.method(route.methods)
    }
  }
}

extension HTTPServer.Response {
  /// JSON.
  static func api(_ bytes: [UInt8], status: Int = 200) -> HTTPServer.Response {
    HTTPServer.Response(status: status, headers: [HTTPServer.Header("Content-Type", "application/json")], body: bytes)
  }

  static func api(status: Int = 200, _ body: (inout JSONWriter) -> Void) -> HTTPServer.Response {
    var writer = JSONWriter(capacity: 16 << 10)
    writer.object(body)
    return api(writer.bytes, status: status)
  }
}
