import HTTPServer
import JSON
import Kafka
import Messages
import Monitoring

extension CatalogAPI {
  static let noRequest = Problem(.notFound, "The catalogue knows no such request.")

  func requests(_ parameters: Parameters) async throws -> HTTPServer.Response {
    let filter: CatalogReader.RequestFilter = try parameters.word("state", default: .all)
    let limit = try parameters.limit()
    let list = "requests/\(filter.rawValue)"
    let cursor = try parameters.cursor(for: list)
    let page = try await store.read { reader in
      let place = cursor.map { VideoSelection.Place(key: $0.numbers.first ?? 0, n: $0.numbers.last ?? 0) }
      return try reader.requests(filter, behind: place, limit: limit)
    }
    return .api { writer in
      writer.member("requests", array: { writer in for request in page.rows { RequestView(request).write(to: &writer) } })
      writer.member("next", page.next.map { Cursor($0.key, $0.n).encoded(for: list) })
    }
  }

  func request(_ id: String) async throws -> HTTPServer.Response {
    let found = try await store.read { reader in
      try reader.request(id).map { ($0, try reader.events(of: $0.n, limit: 100), try reader.pageFailures(of: $0.n)) }
    }
    guard let (request, events, failures) = found else { throw Self.noRequest }
    var writer = JSONWriter(capacity: 16 << 10)
    RequestView(request).writeDetails(events: events, failures: failures, to: &writer)
    return .api(writer.bytes)
  }

  func createRequest(_ request: HTTPServer.Request) async throws -> HTTPServer.Response {
    let new = try NewRequest(try RequestBody.object(request))
    let id = new.requestID ?? CommandMessage.newID()
    let isKnown = Problem(.conflict, "There is a request of this id already.", field: "requestId")
    // Until it is in the database, the database cannot tell of it.
    guard underWay.begin(id) else { throw isKnown }
    defer { underWay.end(id) }
    if new.requestID != nil, try await store.read({ try $0.request(id) }) != nil { throw isKnown }
    try await publisher.publish(new.message(id: id))
    guard let request = await remember(new.entry(id: id)) else {
      throw Problem(
        .unavailable,
        "The request is published; the database does not take it now. It will be listed when it has been read from its topic.",
        requestID: id)
    }
    var response = HTTPServer.Response.api(RequestView(request).bytes, status: 202)
    response.headers.append(HTTPServer.Header("Location", "/api/requests/\(PathText.escaped(id))"))
    return response
  }

  /// `nil` where the database does not take it now: it will come with the topic.
  private func remember(_ entry: RequestEntry) async -> CatalogReader.StoredRequest? {
    do {
      let (request, changes) = try await store.write { writer in
        try writer.put(entry)
        return (try CatalogReader(writer.connection).request(entry.id), writer.changes)
      }
      await hub.publish(changes)
      return request
    } catch {
      logger.warning("A request that is published is not stored yet", ["request.id": .string(entry.id), "error": "\(error)"])
      return nil
    }
  }

  func cancelRequest(_ id: String) async throws -> HTTPServer.Response {
    guard let request = try await store.read({ try $0.request(id) }) else { throw Self.noRequest }
    guard request.isActive else { throw Problem(.conflict, "The request has ended already: \(request.state).") }
    try await publisher.publish(.cancel(id))
    let (cancelled, changes) = try await store.write { writer in
      try writer.noteCancellation(id)
      return (try CatalogReader(writer.connection).request(id), writer.changes)
    }
    await hub.publish(changes)
    return .api(RequestView(cancelled ?? request).bytes, status: 202)
  }
}

/// A request's body as a JSON object.
enum RequestBody {
  static let mostBytes = 64 << 10

  static func object(_ request: HTTPServer.Request) throws(Problem) -> JSONValue {
    let type = request.header("content-type")?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
    guard type == "application/json" else { throw Problem(.unsupportedMediaType, "The body must be application/json.") }
    guard request.body.count <= mostBytes else { throw Problem(.tooLarge, "The body is larger than \(mostBytes) bytes.") }
    let document: JSONDocument
    do throws(JSONError) { document = try JSONDocument.parse(request.body) } catch {
      throw Problem(.badRequest, "The body is no JSON: \(error.reason)")
    }
    guard document.root.kind == .object else { throw Problem(.unprocessable, "The body must be a JSON object.") }
    return document.root
  }
}
