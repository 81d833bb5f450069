import JSON
import TestSupport
import Testing

@testable import YouTubeStub

/// A stub and a client of it on the wire.
struct StubClient {
  let stub: YouTubeStub

  init(_ change: (inout StubConfiguration) -> Void = { _ in }) throws {
    var configuration = StubConfiguration()
    change(&configuration)
    stub = try YouTubeStub(configuration)
  }

  static let google = "UCK8sQmJBp8GCxrOtXWBpyEA"
  static let googleUploads = "UUK8sQmJBp8GCxrOtXWBpyEA"

  /// Calls the API with a good key unless the target has one.
  func get(_ target: String, headers: [String: String] = [:]) async throws -> WireConnection.Answer {
    let key = target.contains("key=") || headers["X-Goog-Api-Key"] != nil ? "" : "&key=good"
    return try await WireConnection(port: stub.port).request("GET", "/youtube/v3/\(target)\(key)", headers: headers)
  }

  func json(_ target: String) async throws -> JSONTree {
    let answer = try await get(target)
    try #require(answer.status == 200, "\(answer.text)")
    return try JSONTree.parse(answer.body)
  }

  /// The status and the reason of a refused call.
  func refusal(_ target: String, headers: [String: String] = [:]) async throws -> String {
    let answer = try await get(target, headers: headers)
    let error = try JSONTree.parse(answer.body)["error"]
    #expect(error?["code"]?.int == answer.status)
    #expect(error?["message"]?.string == error?["errors"]?.elements?.first?["message"]?.string)
    return "\(answer.status) \(error?["errors"]?.elements?.first?["reason"]?.string ?? "")"
  }

  @discardableResult
  func control(_ method: String, _ path: String, _ body: String = "") async throws -> WireConnection.Answer {
    try await WireConnection(port: stub.port).request(method, "/stub/\(path)", body: Array(body.utf8))
  }

  func statistics() async throws -> JSONTree { try JSONTree.parse(try await control("GET", "statistics").body) }

  func truth(_ title: String) async throws -> JSONTree {
    let channels = try JSONTree.parse(try await control("GET", "channels").body).elements ?? []
    return try #require(channels.first { $0["title"]?.string == title })
  }

  /// All items of a list, page by page.
  func all(_ target: String) async throws -> [JSONTree] {
    var items: [JSONTree] = []
    var token: String?
    repeat {
      let page = try await json(target + (token.map { "&pageToken=\($0)" } ?? ""))
      items += page["items"]?.elements ?? []
      token = page["nextPageToken"]?.string
    } while token != nil
    return items
  }
}
