import Foundation
import HTTPServer
import JSON
import Quota
import Synchronization
import Telemetry

@testable import Catalog

/// The API over a store of its own, without Kafka.
final class APIScene: Sendable {
  let store: CatalogStore
  let scene: StoreScene
  let publisher = RecordingPublisher()
  let hub = EventHub()
  let api: CatalogAPI

  init(
    token: String? = nil, isReadOnly: Bool = false, hosts: Set<String>? = HostName.loopback,
    pipeline: any PipelineSource = StillPipeline()
  ) async throws {
    scene = try StoreScene()
    store = try await scene.open()
    let metrics = Metrics()
    CatalogMetrics.declareServing(in: metrics)
    api = CatalogAPI(
      store: store, access: AccessPolicy(token: token, isReadOnly: isReadOnly, hosts: hosts), hub: hub, pipeline: pipeline,
      publisher: publisher, quota: FixedQuota(), metrics: metrics, logger: .silent)
  }

  struct Answer {
    let status: Int
    let body: JSONTree
    let headers: [HTTPServer.Header]

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var next: String? { body["next"]?.string }
    var ids: [String] { (body["videos"] ?? body["channels"] ?? body["requests"])?.elements?.compactMap { $0["id"]?.string } ?? [] }
  }

  func get(_ target: String, headers: [HTTPServer.Header] = []) async throws -> Answer { try await ask("GET", target, headers: headers) }

  func post(_ target: String, _ body: String, headers: [HTTPServer.Header] = []) async throws -> Answer {
    try await ask("POST", target, headers: [HTTPServer.Header("content-type", "application/json")] + headers, body: Array(body.utf8))
  }

  func ask(_ method: String, _ target: String, headers: [HTTPServer.Header] = [], body: [UInt8] = []) async throws -> Answer {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let query = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return HTTPServer.Parameter(sides[0], (sides.count > 1 ? sides[1] : "").removingPercentEncoding ?? "")
    }
    let host = headers.contains { $0.name == "host" } ? [] : [HTTPServer.Header("host", "127.0.0.1:8090")]
    let request = HTTPServer.Request(
      method: method, path: parts[0].removingPercentEncoding ?? parts[0], query: query, headers: host + headers, body: body)
    let response = await api.answer(request)
    guard case .bytes(let bytes) = response.body else { return Answer(status: response.status, body: .null, headers: response.headers) }
    return Answer(status: response.status, body: try JSONTree.parse(bytes), headers: response.headers)
  }
}

final class RecordingPublisher: RequestPublisher {
  let published = Mutex<[(topic: String, body: JSONTree)]>([])
  let failure = Mutex<Problem?>(nil)
  /// What happens while the next message is published.
  let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

  func publish(_ message: PublishedMessage) async throws(Problem) {
    let meanwhile = meanwhile.withLock { meanwhile in
      defer { meanwhile = nil }
      return meanwhile
    }
    await meanwhile?()
    if let failure = failure.withLock({ $0 }) { throw failure }
    let body: JSONTree =
      switch message {
      case .channel(let request): (try? JSONTree.parse(request.bytes)) ?? .null
      case .search(let request): (try? JSONTree.parse(request.bytes)) ?? .null
      case .cancel(let id): ["cancel": .string(id)]
      }
    published.withLock { $0.append((message.topic.name, body)) }
  }
}

struct StillPipeline: PipelineSource {
  func picture() async -> PipelinePicture { PipelinePicture() }
  var state = CatalogConsumer.State.live
  var behind: Int? = 0
  func consuming() async -> (state: CatalogConsumer.State, behind: Int?) { (state, behind) }
}

struct FixedQuota: QuotaSource {
  func status() async throws -> [BucketStatus] {
    [BucketStatus(bucket: .search, spent: 3, limit: 100, remaining: 97, resetsAt: StoreScene.today, isExhausted: false, drift: 0)]
  }
}
