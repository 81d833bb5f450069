import Glibc
import HTTPServer
import JSON

/// From a request to its answer: control endpoint or API, faults, key, quota, endpoint, and the dress of the answer.
struct Router: Sendable {
  let state: StubState
  let archive: any Archive
  let control: ControlEndpoints
  let keys: KeyCheck
  let latency: Duration

  func answer(_ request: HTTPServer.Request) -> HTTPServer.Answer {
    if request.path.hasPrefix("/stub/") { return .now(control.answer(request)) }
    guard request.path.hasPrefix("/youtube/v3/"),
      let method = Method.all.first(where: { request.path.dropFirst("/youtube/v3/".count) == $0.path })
    else { return .now(.text(HTMLPages.notFound(request.path), status: 404, type: "text/html; charset=UTF-8")) }
    let call = Call(method: method, request: request)
    guard request.method == "GET" || request.method == "HEAD" else {
      return .now(AnswerDress(call).error(.methodNotAllowed, headers: [HTTPServer.Header("Allow", "GET, HEAD")]))
    }
    let faults = state.begin(call)
    let response = response(call, faults)
    let delay = faults.reduce(latency) { $0 + $1.delay }
    guard delay > .zero else { return .now(response) }
    return .later {
      // A cancelled wait means that the server stops and nobody reads the answer.
      try? await Task.sleep(for: delay)
      return response
    }
  }

  private func response(_ call: Call, _ faults: [Fault]) -> HTTPServer.Response {
    let dress = AnswerDress(call)
    let extra = faults.flatMap(\.headers)
    let fault = faults.first { !$0.onlyDelays }
    do throws(APIError) {
      switch fault?.action {
      case nil where fault == nil: return try usual(call, dress, extra)
      case .truncate, .malformed:
        let whole = try usual(call, dress, extra)
        return fault?.action == .truncate ? dress.truncated(whole) : dress.malformed(whole)
      default: break
      }
    } catch { return dress.error(error, headers: extra) }
    // What such an answer costs is still spent; that nothing may be left changes nothing about the fault.
    try? state.spend(call.method.bucket, now: time(nil))
    switch fault?.action {
    case .reset: return .reset
    case .hang: return .hang
    case .html:
      let status = fault?.status ?? 502
      return .init(
        status: status, headers: [HTTPServer.Header("Content-Type", "text/html; charset=UTF-8")] + extra,
        body: Array((fault?.body ?? HTMLPages.failure(status)).utf8))
    default: return dress.fault(fault?.status, fault?.reason, fault?.body, headers: extra)
    }
  }

  private func usual(_ call: Call, _ dress: AnswerDress, _ extra: [HTTPServer.Header]) throws(APIError) -> HTTPServer.Response {
    try keys.check(call.request)
    try state.spend(call.method.bucket, now: time(nil))
    try call.checkNames()
    let selection = try call.selection()
    let list = try list(call)
    let (bytes, etag) = list.bytes(selection, pretty: call.wantsPretty)
    return dress.success(bytes, etag: etag, headers: extra)
  }

  private func list(_ call: Call) throws(APIError) -> ListAnswer {
    switch call.method.name {
    case Method.channels.name: try ChannelsEndpoint.answer(call, archive)
    case Method.playlistItems.name: try PlaylistItemsEndpoint.answer(call, archive)
    case Method.videos.name: try VideosEndpoint.answer(call, archive)
    case Method.playlists.name: try PlaylistsEndpoint.answer(call, archive)
    default: try SearchEndpoint.answer(call, archive)
    }
  }
}
