import CMicrohttpd
import Synchronization

/// One request and its answer, between libmicrohttpd's thread and the handler's task.
final class Exchange: @unchecked Sendable {
  // because `headers`, `body`, `phase` are touched by libmicrohttpd's thread only, the connection pointer lives until `completed`,
  // and what other threads change lies in `shared`
  private let context: DaemonContext
  private let connection: OpaquePointer
  private let target: String
  private var phase = Phase.header
  private var headers: [HTTPServer.Header] = []
  private var body: [UInt8] = []
  private let shared = Mutex(Shared())

  private enum Phase { case header, body, tooLarge, answering }

  private struct Shared {
    var isSuspended = false
    var isInterrupted = false
    var isEndless = false
    var outcome: HTTPServer.Response?
    var task: Task<Void, Never>?
    var stream: StreamSource?
    var watch: PeerWatch?
  }

  init(context: DaemonContext, connection: OpaquePointer, target: String) {
    self.context = context
    self.connection = connection
    self.target = target
  }

  /// Whether the answer would only end with the client or the server.
  var isEndless: Bool { shared.withLock { $0.isEndless } }

  /// libmicrohttpd calls with the header, with each piece of the body, with nothing at the body's end, and again after a suspension.
  func advance(method: UnsafePointer<CChar>, upload: UnsafeRawBufferPointer) -> MHD_Result {
    switch phase {
    case .header:
      phase = .body
      headers = RequestReader.headers(of: connection)
      if let refusal = RequestReader.refusal(of: headers) { return refuse(refusal) }
      let announced = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
      return announced > context.limits.bodyBytes ? refuse() : .YES
    case .body where !upload.isEmpty:
      if body.count + upload.count > context.limits.bodyBytes {
        body = []
        phase = .tooLarge
      } else {
        body.append(contentsOf: upload)
      }
      return .YES
    case .tooLarge: return upload.isEmpty ? refuse() : .YES
    case .body:
      phase = .answering
      return start(RequestReader.request(method: method, target: target, headers: headers, body: body))
    case .answering: return proceed()
    }
  }

  func completed() {
    let (task, stream, watch) = shared.withLock { state in
      defer {
        state.task = nil
        state.stream = nil
        state.watch = nil
      }
      return (state.task, state.stream, state.watch)
    }
    task?.cancel()
    stream?.abandon()
    watch?.cancel()
    context.watch.rests(UInt(bitPattern: connection))
    context.ended(self)
  }

  /// Ends what waits: the task is cancelled and the connection closes.
  func interrupt() {
    let (task, stream, wasSuspended) = shared.withLock { state in
      state.isInterrupted = true
      defer { state.isSuspended = false }
      return (state.task, state.stream, state.isSuspended)
    }
    task?.cancel()
    stream?.end()
    if wasSuspended { MHD_resume_connection(connection) }
  }

  private func refuse() -> MHD_Result {
    let sentence = "The body is larger than \(context.limits.bodyBytes) bytes.\n"
    return refuse(context.limits.tooLarge ?? .text(sentence, status: 413))
  }

  /// Answers without the body, of which there may be more: nothing can follow it on the connection.
  private func refuse(_ answer: HTTPServer.Response) -> MHD_Result {
    var response = answer
    response.headers.append(HTTPServer.Header("Connection", "close"))
    return send(response)
  }

  private func start(_ request: HTTPServer.Request) -> MHD_Result {
    context.watch.works(UInt(bitPattern: connection))
    if context.isStopping {
      return send(.init(status: 503, headers: [HTTPServer.Header("Connection", "close")]))
    }
    switch context.answer(request) {
    case .now(let response): return send(response)
    case .later(let work):
      guard suspend(endless: false) else { return .NO }
      let task = Task { self.finish(with: await work()) }
      shared.withLock { $0.task = task }
      return .YES
    }
  }

  private func proceed() -> MHD_Result {
    let (isInterrupted, outcome) = shared.withLock { state in
      state.task = nil
      return (state.isInterrupted, state.outcome)
    }
    guard !isInterrupted, let outcome else { return .NO }
    return send(outcome)
  }

  // Suspending under the lock: whoever resumes sees the suspension made.
  private func suspend(endless: Bool) -> Bool {
    shared.withLock { state in
      guard !state.isInterrupted else { return false }
      MHD_suspend_connection(connection)
      state.isSuspended = true
      state.isEndless = endless
      return true
    }
  }

  private func finish(with response: HTTPServer.Response) {
    let wasSuspended = shared.withLock { state in
      state.outcome = response
      defer { state.isSuspended = false }
      return state.isSuspended
    }
    if wasSuspended { MHD_resume_connection(connection) }
  }

  private func send(_ response: HTTPServer.Response) -> MHD_Result {
    switch response.body {
    case .reset:
      _ = tl_mhd_reset(tl_mhd_connection_fd(connection))
      return .NO
    case .close: return .NO
    case .hang: return hang()
    case .bytes(let bytes):
      context.watch.answers(UInt(bitPattern: connection))
      return ResponseWriter.queue(response, bytes: bytes, on: connection)
    case .truncated(let bytes, let length):
      context.watch.answers(UInt(bitPattern: connection))
      return ResponseWriter.queue(
        response, source: TruncatedSource(bytes: bytes), size: UInt64(max(length, bytes.count + 1)), on: connection)
    case .stream(let stream):
      let source = StreamSource(connection: connection)
      let task = Task { await source.pump(stream) }
      let isInterrupted = shared.withLock { state in
        state.isEndless = true
        state.task = task
        state.stream = source
        return state.isInterrupted
      }
      // Stopping asks who is endless after saying so, and here it is the other way round: one of the two sees the other.
      if isInterrupted || context.isStopping { interrupt() }
      return ResponseWriter.queue(response, source: source, size: tl_mhd_size_unknown(), on: connection)
    }
  }

  // A silent connection is given up when its client leaves, at the limit, or when the server stops: whichever comes first.
  private func hang() -> MHD_Result {
    guard suspend(endless: true) else { return .NO }
    let watch = PeerWatch(descriptor: tl_mhd_connection_fd(connection), limit: context.limits.hang) { [weak self] in self?.interrupt() }
    shared.withLock { $0.watch = watch }
    if context.isStopping { interrupt() }
    return .YES
  }
}
