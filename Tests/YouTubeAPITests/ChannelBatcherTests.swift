import Synchronization
import TestSupport
import Testing
import YouTubeAPI

@Suite("Channel batcher", .timeLimit(.minutes(1)))
struct ChannelBatcherTests {
  /// The linger's clock: it stands still until it is told to go on.
  final class Linger: Sendable {
    private struct State {
      var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
      var next = 0
    }
    private let state = Mutex(State())

    func sleep() async throws {
      let number = state.withLock { state in
        state.next += 1
        return state.next
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          state.withLock { $0.sleepers[number] = continuation }
        }
      } onCancel: {
        state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume(throwing: CancellationError())
      }
    }

    var isAsleep: Bool { state.withLock { !$0.sleepers.isEmpty } }

    func wake() {
      let sleepers = state.withLock { state in
        defer { state.sleepers = [:] }
        return Array(state.sleepers.values)
      }
      for sleeper in sleepers { sleeper.resume() }
    }
  }

  let linger = Linger()

  private func batcher(_ transport: ScriptedTransport, gate: RecordingCallGate = RecordingCallGate()) -> ChannelBatcher {
    let client = YouTubeClient(
      configuration: ClientConfiguration(apiKey: Secret("k")), transport: transport, gate: gate, retry: ImmediateCallRetry(retries: 0))
    return ChannelBatcher(client: client, sleep: { [linger] _ in try await linger.sleep() })
  }

  /// Answers with every id that was asked for, last first, but for those that start with "no"; refuses calls with a "bad" id.
  private static func answer(_ request: HTTPRequest) -> ScriptedTransport.Step {
    let ids = (request.parameter("id") ?? request.parameter("forHandle") ?? request.parameter("forUsername") ?? "").split(separator: ",")
    if ids.contains(where: { $0.hasPrefix("bad") }) {
      return .json(#"{"error":{"code":400,"errors":[{"reason":"invalid","domain":"global"}]}}"#, status: 400)
    }
    let items = ids.reversed().filter { !$0.hasPrefix("no") }.map { #"{"id":"\#($0.hasPrefix("@") ? $0.dropFirst() : $0)"}"# }
    return .json(#"{"items":[\#(items.joined(separator: ","))]}"#)
  }

  private func waitForCallers(_ count: Int, _ batcher: ChannelBatcher) async {
    while await batcher.waitingCount != count { await Task.yield() }
    while !linger.isAsleep && count % ChannelBatcher.capacity != 0 { await Task.yield() }
  }

  private func start(_ id: String, _ batcher: ChannelBatcher) -> Task<Result<Channel?, APIFailure>, Never> {
    Task {
      do throws(APIFailure) { return .success(try await batcher.channel(id: id)) } catch { return .failure(error) }
    }
  }

  @Test func concurrentIdsGoIntoOneCallAndTheSameIdOnce() async throws {
    let transport = ScriptedTransport(handler: Self.answer)
    let batcher = batcher(transport)
    let tasks = ["a", "b", "a", "no1", "b"].map { start($0, batcher) }
    await waitForCallers(5, batcher)
    #expect(transport.requests.isEmpty)
    linger.wake()
    var found: [String?] = []
    for task in tasks { found.append(try await task.value.get()?.id) }
    #expect(found == ["a", "b", "a", nil, "b"])
    #expect(transport.requests.count == 1)
    #expect(transport.requests[0].parameter("id")?.split(separator: ",").sorted() == ["a", "b", "no1"])
  }

  @Test func fiftyIdsDoNotLinger() async throws {
    let transport = ScriptedTransport(handler: Self.answer)
    let batcher = batcher(transport)
    let tasks = (0..<100).map { start("c\($0)", batcher) }
    for (index, task) in tasks.enumerated() { #expect(try await task.value.get()?.id == "c\(index)") }
    #expect(transport.requests.map { $0.parameter("id")?.split(separator: ",").count } == [50, 50])
    #expect(await batcher.waitingCount == 0)
  }

  @Test func aFailureGoesToEveryCallerOfTheCall() async throws {
    let transport = ScriptedTransport([.json("", status: 503), .json(#"{"items":[{"id":"a"}]}"#)])
    let batcher = batcher(transport)
    let tasks = ["a", "b"].map { start($0, batcher) }
    await waitForCallers(2, batcher)
    linger.wake()
    for task in tasks {
      guard case .failure(.transient) = await task.value else {
        Issue.record("no failure")
        return
      }
    }
    let again = start("a", batcher)
    await waitForCallers(1, batcher)
    linger.wake()
    #expect(try await again.value.get()?.id == "a")
  }

  @Test func oneOddIdDoesNotSpoilTheOthers() async throws {
    let transport = ScriptedTransport(handler: Self.answer)
    let batcher = batcher(transport)
    let tasks = (["bad"] + (0..<20).map { "c\($0)" }).map { start($0, batcher) }
    await waitForCallers(21, batcher)
    linger.wake()
    guard case .failure(.rejected) = await tasks[0].value else {
      Issue.record("the odd id was not rejected")
      return
    }
    for task in tasks.dropFirst() { #expect(try await task.value.get() != nil) }
    #expect(transport.requests.count <= 11)
  }

  @Test func aCancelledCallerLeavesTheOthersAlone() async throws {
    let transport = ScriptedTransport(handler: Self.answer)
    let batcher = batcher(transport)
    let kept = start("a", batcher)
    let (left, same) = (start("b", batcher), start("a", batcher))
    await waitForCallers(3, batcher)
    left.cancel()
    same.cancel()
    #expect(await left.value == .failure(.cancelled))
    #expect(await same.value == .failure(.cancelled))
    linger.wake()
    #expect(try await kept.value.get()?.id == "a")
    #expect(transport.requests.map { $0.parameter("id") } == ["a"])
  }

  @Test func theLastCallerTakesTheCallAlong() async throws {
    let transport = ScriptedTransport([.hang, .json(#"{"items":[{"id":"a"}]}"#)])
    let batcher = batcher(transport)
    let tasks = [start("a", batcher), start("b", batcher)]
    await waitForCallers(2, batcher)
    linger.wake()
    await transport.waitForRequests(1)
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .failure(.cancelled)) }
    // A later caller gets a call of its own, and not the end of the cancelled one.
    let later = start("a", batcher)
    await waitForCallers(1, batcher)
    linger.wake()
    #expect(try await later.value.get()?.id == "a")
  }

  @Test func theEndOfAnAbandonedCallIsNoAnswerToALaterCaller() async throws {
    let (held, release) = (Hold(), ScriptedTransport.Step.json(#"{"items":[]}"#))
    let transport = ScriptedTransport { request in
      guard await held.isFirst() else { return Self.answer(request) }
      await held.wait()
      return release
    }
    let observer = EndObserver()
    let client = YouTubeClient(
      configuration: ClientConfiguration(apiKey: Secret("k")), transport: transport, gate: RecordingCallGate(),
      retry: ImmediateCallRetry(retries: 0), observer: observer)
    let batcher = ChannelBatcher(client: client, sleep: { [linger] _ in try await linger.sleep() })
    let first = start("a", batcher)
    await waitForCallers(1, batcher)
    linger.wake()
    await transport.waitForRequests(1)
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    let later = start("a", batcher)
    await waitForCallers(1, batcher)
    await held.release()
    while observer.count == 0 { await Task.yield() }
    // Gives the abandoned call the time to report to the batcher.
    for _ in 0..<1000 { await Task.yield() }
    #expect(await batcher.waitingCount == 1)
    linger.wake()
    #expect(try await later.value.get()?.id == "a")
  }

  /// Holds the first request until it is told to go on, cancelled or not.
  actor Hold {
    private var hasFirst = false
    private var isReleased = false
    private var waiter: CheckedContinuation<Void, Never>?

    func isFirst() -> Bool {
      defer { hasFirst = true }
      return !hasFirst
    }

    func wait() async {
      if isReleased { return }
      await withCheckedContinuation { waiter = $0 }
    }

    func release() {
      isReleased = true
      waiter?.resume()
      waiter = nil
    }
  }

  final class EndObserver: APICallObserver {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func observe(_ call: APICall) { state.withLock { $0 += 1 } }
  }

  @Test func nobodyLeftMeansNoCall() async throws {
    let transport = ScriptedTransport(handler: Self.answer)
    let batcher = batcher(transport)
    let task = start("a", batcher)
    await waitForCallers(1, batcher)
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    while linger.isAsleep { await Task.yield() }
    #expect(transport.requests.isEmpty)
  }

  @Test func theSameHandleAtTheSameTimeIsOneCall() async throws {
    let (stream, proceed) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport { request in
      for await _ in stream { break }
      return Self.answer(request)
    }
    let batcher = batcher(transport)
    let handles = ["@Google", "google", "GOOGLE"].map { handle in Task { try await batcher.channel(forHandle: handle) } }
    while await batcher.waitingCount != 3 { await Task.yield() }
    await transport.waitForRequests(1)
    proceed.yield()
    for task in handles { #expect(try await task.value?.id == "google") }
    let user = Task { try await batcher.channel(forUsername: "google") }
    await transport.waitForRequests(2)
    proceed.yield()
    #expect(try await user.value?.id == "google")
    #expect(transport.requests.count == 2)
    #expect(try await batcher.channel(id: "no id") == nil)
  }
}
