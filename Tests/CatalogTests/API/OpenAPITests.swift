import HTTPServer
import JSON
import TestSupport
import Testing

@testable import Catalog

@Suite("/api/openapi.json", .timeLimit(.minutes(1)))
struct OpenAPITests {
  struct Operation: Sendable {
    let method: String
    let path: String
    let statuses: Set<String>
    let isWriting: Bool

    var target: String { path.replacing(/{[a-zA-Z]+}/, with: "x") }
  }

  private static func operations() throws -> [Operation] {
    let paths = try JSONTree.parse(try #require(StaticFiles.bytes("openapi.json")))["paths"]?.members ?? []
    return paths.flatMap { path in
      (path.value.members ?? []).compactMap { operation in
        guard let responses = operation.value["responses"]?.members else { return nil }
        return Operation(
          method: operation.key.uppercased(), path: path.key, statuses: Set(responses.map(\.key)),
          isWriting: operation.value["security"] != nil)
      }
    }
  }

  @Test func everyOperationMayFindTheBodyTooLarge() async throws {
    let scene = try await APIScene()
    let server = try CatalogServer(host: "127.0.0.1", port: 0, api: scene.api)
    let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
    for operation in try Self.operations() {
      let body = [UInt8](repeating: 0x20, count: RequestBody.mostBytes + 1)
      let answer = try await WireConnection(port: port).request(operation.method, operation.target, body: body)
      #expect(operation.statuses.contains(String(answer.status)), "\(operation.method) \(operation.path): \(answer.status)")
    }
    await server.stop(grace: .seconds(1))
    await scene.store.close()
  }

  @Test func everythingThatWritesMayMeetAGuesser() async throws {
    let scene = try await APIScene(token: "a-token-of-24-characters")
    let wrong = [HTTPServer.Header("authorization", "Bearer wrong"), HTTPServer.Header("content-type", "application/json")]
    for _ in 0..<20 { #expect(try await scene.ask("PUT", "/api/videos/v/like", headers: wrong).status == 401) }
    for operation in try Self.operations() where operation.path != "/api/events" && operation.path != "/api/session" {
      let answer = try await scene.ask(operation.method, operation.target, headers: wrong, body: Array("{}".utf8))
      #expect((answer.status == 429) == operation.isWriting, "\(operation.method) \(operation.path)")
      #expect(operation.statuses.contains(String(answer.status)), "\(operation.method) \(operation.path): \(answer.status)")
      if operation.isWriting { #expect(answer.header("Retry-After") != nil) }
    }
    await scene.store.close()
  }
}
