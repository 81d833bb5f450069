import JSON
import TestSupport
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct CatalogServerTests {
  private static func with(_ pipeline: StillPipeline, _ body: (WireConnection) async throws -> Void) async throws {
    let scene = try await APIScene(pipeline: pipeline)
    let server = try CatalogServer(host: "127.0.0.1", port: 0, api: scene.api)
    let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
    try await body(try WireConnection(port: port))
    await server.stop(grace: .seconds(1))
    await scene.store.close()
  }

  @Test(arguments: ["/healthz", "/readyz", "/metrics"])
  func probesOnlyRead(_ path: String) async throws {
    try await Self.with(StillPipeline()) { connection in
      #expect(try await connection.request("GET", path).status == 200)
      #expect(try await connection.request("HEAD", path).status == 200)
      for method in ["PUT", "DELETE", "OPTIONS"] {
        let answer = try await connection.request(method, path)
        #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD")
      }
    }
  }

  @Test func whatIsNotKnownOfTheReadingIsNotTold() async throws {
    try await Self.with(StillPipeline(state: .live, behind: 7)) { connection in
      let metrics = try await connection.request("GET", "/metrics").text
      #expect(metrics.contains("\ntubeline_catalog_live 1\n") && metrics.contains("\ntubeline_catalog_lag_offsets 7\n"))
      #expect(try JSONTree.parse(try await connection.request("GET", "/readyz").body)["behind"] == 7)
    }
    try await Self.with(StillPipeline(state: .away, behind: nil)) { connection in
      let metrics = try await connection.request("GET", "/metrics").text
      #expect(metrics.contains("\ntubeline_catalog_live 0\n") && !metrics.contains("\ntubeline_catalog_lag_offsets "))
      #expect(try JSONTree.parse(try await connection.request("GET", "/readyz").body) == ["ready": true, "consuming": "away"])
    }
  }
}
