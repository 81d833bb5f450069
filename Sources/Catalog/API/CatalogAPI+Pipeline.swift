import FoundationEssentials
import HTTPServer
import JSON
import Messages
import Quota
import Telemetry

extension CatalogAPI {
  func quotaAnswer() async throws -> HTTPServer.Response {
    do { return .api(QuotaView.bytes(try await quota.status(), at: Date())) } catch let error where !(error is CancellationError) {
      throw Problem(.unavailable, "The quota ledger does not answer.")
    }
  }

  func pipelineAnswer() async throws -> HTTPServer.Response {
    let picture = await pipeline.picture()
    let (events, letters) = try await store.read { (try $0.events(limit: 50), try $0.deadLetters(limit: 50)) }
    return .api(PipelineView(picture: picture, events: events, letters: letters).bytes(at: Date()))
  }

  /// - Parameter isWanted: false for a HEAD, which hears nothing.
  func events(isWanted: Bool) throws -> HTTPServer.Response {
    // A proxy that collects the answer would hold events back.
    let headers = [HTTPServer.Header("Content-Type", "text/event-stream"), HTTPServer.Header("X-Accel-Buffering", "no")]
    guard isWanted else { return HTTPServer.Response(headers: headers) }
    guard let stream = hub.listen() else {
      throw Problem.tooManyRequests("Too many streams are open; try again later.", retryAfter: .seconds(10))
    }
    return HTTPServer.Response(headers: headers, body: .stream(stream))
  }

  func session(_ request: HTTPServer.Request) -> HTTPServer.Response {
    session(isWritable: access.isWritable(request))
  }

  private func session(isWritable: Bool) -> HTTPServer.Response {
    .api { writer in
      writer.member("writable", isWritable)
      writer.member("readOnly", access.isReadOnly)
      writer.member("needsToken", access.needsToken && !access.isReadOnly)
    }
  }

  func openSession(_ request: HTTPServer.Request) throws -> HTTPServer.Response {
    let fields = BodyFields(try RequestBody.object(request))
    try fields.allow(["token"])
    guard let token = try fields.text("token", upTo: 4096) else { throw Problem(.unprocessable, "token is missing.", field: "token") }
    let cookie = try access.openSession(token, isSecure: Self.isSecure(request))
    var response = session(isWritable: !access.isReadOnly)
    if let cookie { response.headers.append(cookie) }
    return response
  }

  func closeSession(_ request: HTTPServer.Request) -> HTTPServer.Response {
    var response = session(isWritable: !access.needsToken && !access.isReadOnly)
    response.headers.append(access.closeSession(request, isSecure: Self.isSecure(request)))
    return response
  }

  // Behind a proxy that speaks TLS the cookie is for TLS only.
  private static func isSecure(_ request: HTTPServer.Request) -> Bool { request.header("x-forwarded-proto") == "https" }
}

/// The catalogue in numbers.
struct CatalogueView {
  let channels: Int
  let videos: Int
  let liked: Int
  let retention: Duration
  let state: CatalogConsumer.State
  let behind: Int?

  static func read(_ store: CatalogStore, _ pipeline: any PipelineSource) async throws -> CatalogueView {
    let (state, behind) = await pipeline.consuming()
    let counts = try await store.read { reader in
      (try reader.counter(.channels), try reader.counter(.videos), try reader.counter(.liked))
    }
    return CatalogueView(
      channels: counts.0, videos: counts.1, liked: counts.2, retention: store.retention, state: state, behind: behind)
  }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", BuildInformation.version)
      writer.member("channels", channels)
      writer.member("videos", videos)
      writer.member("liked", liked)
      writer.member("retentionDays", max(1, Int(retention.components.seconds) / 86_400))
      writer.member("consuming", state.rawValue)
      writer.member("behind", behind)
    }
    return writer.bytes
  }
}
