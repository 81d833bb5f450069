import HTTPServer
import JSON

/// An OpenTelemetry collector that keeps the spans it is sent.
final class Collector: Sendable {
  struct SeenSpan: Sendable {
    let json: JSONTree
    let service: String
    var id: String { json["spanId"]?.string ?? "" }
    var traceID: String { json["traceId"]?.string ?? "" }
    var parentID: String? { json["parentSpanId"]?.string }
    var name: String { json["name"]?.string ?? "" }
    var kind: Int { if case .int(let kind)? = json["kind"] { Int(kind) } else { 0 } }

    func attribute(_ name: String) -> JSONTree? { Self.attribute(json["attributes"], name) }

    static func attribute(_ list: JSONTree?, _ name: String) -> JSONTree? {
      guard case .array(let attributes)? = list else { return nil }
      let value = attributes.first { $0["key"]?.string == name }?["value"]
      return value?["stringValue"] ?? value?["intValue"] ?? value?["boolValue"]
    }
  }

  struct State: Sendable {
    var spans: [SeenSpan] = []
    var authorizations: Set<String> = []
    var problems: [String] = []
  }

  let state = Monitor(State())
  private let server: HTTPServer

  init() throws {
    server = try HTTPServer(port: 0) { [state] request in
      state.update { Self.note(request, in: &$0) }
      return .text("{}", type: "application/json")
    }
  }

  var address: String { server.address }

  private static func note(_ request: HTTPServer.Request, in state: inout State) {
    guard request.method == "POST", request.path == "/v1/traces", request.header("content-type") == "application/json",
      let json = try? JSONTree.parse(request.body), case .array(let resources)? = json["resourceSpans"]
    else { return state.problems.append("\(request.method) \(request.path)") }
    state.authorizations.insert(request.header("authorization") ?? "none")
    for resource in resources {
      let service = SeenSpan.attribute(resource["resource"]?["attributes"], "service.name")?.string ?? "none"
      guard case .array(let scopes)? = resource["scopeSpans"] else { continue }
      for scope in scopes {
        guard case .array(let spans)? = scope["spans"] else { continue }
        state.spans += spans.map { SeenSpan(json: $0, service: service) }
      }
    }
  }

  func stop() async { await server.stop() }
}
