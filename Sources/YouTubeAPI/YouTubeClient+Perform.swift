import JSON
import Telemetry

extension YouTubeClient {
  /// One list call: waits for quota, sends, tries again, and decodes.
  func list<Item: Sendable>(
    _ method: APIMethod, _ query: [HTTPField], decode: (JSONValue) -> Item?
  ) async throws(APIFailure) -> ListAnswer<Item> {
    try checkKey()
    let request = request(method, query)
    var failures = 0
    var refusals = 0
    while true {
      let permit = try await admitted(method)
      let attempt = await traced(method, request, permit, failures + refusals, decode)
      switch attempt {
      case .answer(let answer):
        await gate.answered(permit)
        return answer
      case .cancelled: throw .cancelled
      case .verdict(.dailyQuota(let error, let isLimitZero)):
        if isLimitZero && !history.hasWorked(method) { throw .configuration(error, fix: ErrorReason.zeroLimit) }
        logger.warning(
          "The API says that the daily quota is used up", ["api.method": "\(method.rawValue)", "api.reason": "\(error.reason)"])
        await gate.exhausted(permit)
        refusals += 1
        try await pauseAfterRefusal(refusals)
      case .verdict(.transient(let error)):
        failures += 1
        try await backOff(method, error, failures)
      case .verdict(.configuration(let error, let fix)): throw .configuration(error, fix: fix)
      case .verdict(.notFound(let error)): throw .notFound(error)
      case .verdict(.rejected(let error)): throw .rejected(error)
      }
    }
  }

  private enum Attempt<Item> {
    case answer(ListAnswer<Item>)
    case verdict(Verdict)
    case cancelled

    /// By the status where there is one, as the conventions for HTTP want it; a good status with an unusable body is an error too.
    func spanFailure(_ status: Int?) -> Span.Failure? {
      switch self {
      case .answer: nil
      case .cancelled: Span.Failure(type: "cancelled")
      case .verdict(let verdict):
        Span.Failure(type: status.flatMap { $0 >= 400 ? String($0) : nil } ?? verdict.error.reason, message: verdict.error.message)
      }
    }
  }

  private func traced<Item>(
    _ method: APIMethod, _ request: HTTPRequest, _ permit: CallPermit, _ resends: Int, _ decode: (JSONValue) -> Item?
  ) async -> Attempt<Item> {
    guard let span = tracer.begin("GET \(method.path)", .client) else { return await attempt(method, request, permit, decode).0 }
    let carrying = request.adding(HTTPField("traceparent", span.context.traceparent))
    let (attempt, status) = await attempt(method, carrying, permit, decode)
    tracer.end(span, CallSpan.attributes(method, request, status: status, resends: resends), error: attempt.spanFailure(status))
    return attempt
  }

  private var classifier: ErrorClassifier { ErrorClassifier(retryAfterCap: configuration.retryAfterCap, secret: configuration.apiKey) }

  private func attempt<Item>(
    _ method: APIMethod, _ request: HTTPRequest, _ permit: CallPermit, _ decode: (JSONValue) -> Item?
  ) async -> (Attempt<Item>, status: Int?) {
    let start = ContinuousClock.now
    do throws(TransportError) {
      let response = try await transport.send(request)
      let duration = ContinuousClock.now - start
      let attempt = read(response, of: method, decode)
      report(method, attempt, response, duration)
      return (attempt, response.status)
    } catch {
      if error.isCertainlyUnsent { await gate.refund(permit) }
      let duration = ContinuousClock.now - start
      let outcome: APICall.Outcome = error.kind == .cancelled ? .cancelled : error.isCertainlyUnsent ? .unsent : .transient
      observer?.observe(APICall(method: method, outcome: outcome, status: nil, duration: duration, bytes: 0))
      return (error.kind == .cancelled ? .cancelled : .verdict(classifier.verdict(on: error)), nil)
    }
  }

  private func read<Item>(_ response: HTTPResponse, of method: APIMethod, _ decode: (JSONValue) -> Item?) -> Attempt<Item> {
    guard response.status == 200 else { return .verdict(classifier.verdict(on: response)) }
    let root = try? JSONDocument.parse(response.body).root
    guard let root, let answer = ListAnswer(root, of: method, decode: decode) else {
      return .verdict(classifier.verdict(onMalformed: response, root: root))
    }
    history.worked(method)
    return .answer(answer)
  }

  private func report<Item>(_ method: APIMethod, _ attempt: Attempt<Item>, _ response: HTTPResponse, _ duration: Duration) {
    guard let observer else { return }
    var skipped = 0
    let outcome: APICall.Outcome
    switch attempt {
    case .answer(let answer):
      skipped = answer.skipped
      outcome = .succeeded
    case .verdict(.dailyQuota): outcome = .dailyQuota
    case .verdict(.transient): outcome = .transient
    case .verdict(.configuration): outcome = .configuration
    case .verdict(.notFound): outcome = .notFound
    case .verdict(.rejected): outcome = .rejected
    case .cancelled: outcome = .cancelled
    }
    observer.observe(
      APICall(
        method: method, outcome: outcome, status: response.status, duration: duration, bytes: response.body.count, skipped: skipped))
  }

  private func backOff(_ method: APIMethod, _ error: APIError, _ failures: Int) async throws(APIFailure) {
    guard let delay = retry.delay(afterFailures: failures, retryAfter: error.retryAfter) else { throw .transient(error) }
    logger.info(
      "API call failed, trying again",
      [
        "api.method": "\(method.rawValue)", "api.status": .int(error.status ?? 0), "api.reason": "\(error.reason)",
        "error": "\(error.message)", "retry.attempt": .int(failures), "retry.delay": "\(delay)",
      ])
    do throws(CancellationError) { try await retry.sleep(for: delay) } catch { throw .cancelled }
  }

  // The gate holds the next try back until the reset; should it not, this keeps the client from hammering the API.
  private func pauseAfterRefusal(_ refusals: Int) async throws(APIFailure) {
    guard refusals > 1 else { return }
    let delay = retry.delay(afterFailures: refusals - 1, retryAfter: nil) ?? .seconds(60)
    do throws(CancellationError) { try await retry.sleep(for: delay) } catch { throw .cancelled }
  }

  private func admitted(_ method: APIMethod) async throws(APIFailure) -> CallPermit {
    do throws(CallRefusal) { return try await gate.admit(method) } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .notBefore(let time): throw .quota(until: time)
      }
    }
  }

  // A key that no header can carry would fail in the transport in ways that name no fix.
  private func checkKey() throws(APIFailure) {
    let key = configuration.apiKey.reveal()
    if !key.isEmpty && key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return }
    let message = key.isEmpty ? "There is no API key." : "The API key holds blanks, line breaks or other characters that no key has."
    throw .configuration(APIError(status: nil, reason: "noAPIKey", message: message), fix: ErrorReason.missingKey)
  }

  private func request(_ method: APIMethod, _ query: [HTTPField]) -> HTTPRequest {
    var query = query + [HTTPField("prettyPrint", "false")]
    var headers = [
      HTTPField("User-Agent", configuration.userAgent), HTTPField("Accept-Encoding", "gzip"), HTTPField("Accept", "application/json"),
    ]
    switch configuration.keyPlacement {
    case .header: headers.append(HTTPField("X-Goog-Api-Key", configuration.apiKey.reveal()))
    case .query: query.append(HTTPField("key", configuration.apiKey.reveal()))
    }
    var base = configuration.baseURL[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    return HTTPRequest(
      baseURL: String(base), path: method.path, query: query, headers: headers, timeout: configuration.timeout)
  }
}
