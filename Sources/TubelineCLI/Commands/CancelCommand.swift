import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline cancel`: no further unit is spent on requests.
enum CancelCommand: Command {
  private static let defaultTimeout = Duration.seconds(60)

  static let specification = CommandSpecification(
    name: "cancel", summary: "cancels requests and prints the ids of those that were told so", operands: "REQUEST-ID…",
    options: [
      OptionSpecification("--force", "Also requests that nobody knows, or that have ended already."),
      OptionSpecification("--wait", "Wait until each has ended."),
      OptionSpecification("--timeout", "DURATION", "With --wait: exit code 1 when one has not ended by then. Default: 60s."),
    ],
    settings: [.kafkaServers, .topicPrefix],
    examples: [
      .init("tubeline cancel r-7f3a", "Workers spend no further unit on it, within seconds, and also after a restart."),
      .init(
        "tubeline status --active --format json | jq -r '.requests[].request' | xargs tubeline cancel --wait", "All that are under way."),
    ],
    notes: [
      """
      Every worker reads the orders in topic request-control, before it does anything else. A request ends as cancelled, also where it waits
      for quota or for a retry, or as completed when all of its pages had been read. Results leave a partition in order: behind another
      request that waits for quota there, the cancellation is told when that one goes on, and costs nothing meanwhile. What was published
      stays. A request that is unknown to the topics of requests and events, or has ended, is told on standard error, and nothing is
      published for it (exit code 1).
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let ids = try requestIDs(invocation.arguments)
    let timeout = try timeout(invocation.arguments)
    let configuration = try invocation.configuration()
    let admin = try Admin(configuration: configuration.kafka, clientID: "tubeline-cli", logger: .silent)
    let producer = try Producer(configuration: configuration.kafka, clientID: "tubeline-cli", logger: .silent)
    let signal = Signal()
    let follower = try StatusFollower(configuration.kafka, prefix: configuration.topicPrefix, signal: signal)
    let outcome: Result<ExitCode, any Error>
    do {
      let cancellation = Cancellation(
        ids: ids, timeout: timeout, isForced: invocation.arguments.has("--force"), configuration: configuration, producer: producer,
        follower: follower, signal: signal, output: invocation.output, messages: invocation.messages)
      outcome = .success(try await cancellation.run(admin))
    } catch { outcome = .failure(error) }
    await follower.close()
    await producer.close()
    await admin.close()
    return try outcome.get()
  }

  private static func requestIDs(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
    guard !arguments.operands.isEmpty else { throw UsageError("Give at least one request id.") }
    for id in arguments.operands where !RequestIDText.isUsable(id) {
      throw UsageError("A request id has 1 to \(RequestIDText.limit) bytes; \(id.isEmpty ? "one is empty" : "one has \(id.utf8.count)").")
    }
    var seen: Set<String> = []
    return arguments.operands.filter { seen.insert($0).inserted }
  }

  /// `nil` without `--wait`.
  private static func timeout(_ arguments: ParsedArguments) throws(UsageError) -> Duration? {
    let text = arguments.values["--timeout"]
    guard arguments.has("--wait") else {
      if text != nil { throw UsageError("--timeout goes with --wait.") }
      return nil
    }
    guard let text else { return defaultTimeout }
    guard let timeout = SettingValue.duration(text), timeout > .zero else {
      throw UsageError("--timeout must be a duration such as 20s or 5m; it is \"\(text)\".")
    }
    return timeout
  }
}

/// One run of the command.
private struct Cancellation {
  let ids: [String]
  let timeout: Duration?
  let isForced: Bool
  let configuration: AppConfiguration
  let producer: Producer
  let follower: StatusFollower
  let signal: Signal
  let output: ByteOutput
  let messages: MessageOutput

  func run(_ admin: Admin) async throws -> ExitCode {
    // A producer would create a missing topic with a broker's own settings.
    _ = try await admin.partitions(
      of: [configuration.topicPrefix + RequestControl.topic.name], servers: configuration.kafka.bootstrapServers)
    if !isForced || timeout != nil { try await follower.open(admin, [.channelRequests, .searchRequests, .requestEvents]) }
    let wanted = isForced ? ids : try await cancellable()
    let told = try await publish(wanted)
    let isComplete = told.count == ids.count
    guard let timeout else { return isComplete ? .done : .incomplete }
    let ended = try await wait(for: told, timeout)
    return isComplete && ended ? .done : .incomplete
  }

  private func cancellable() async throws -> [String] {
    let board = await follower.requests
    return ids.filter { id in
      guard let request = board[id] else {
        messages.line(
          "\(VisibleText.of(id)): no such request is known. It may be too old, or use another TOPIC_PREFIX; --force cancels it.")
        return false
      }
      guard !request.state.isActive else { return true }
      messages.line(
        "\(VisibleText.of(id)): has ended already: \(request.state.rawValue) at \(VisibleText.of(request.last?.at ?? "unknown")).")
      return false
    }
  }

  private func publish(_ ids: [String]) async throws -> [String] {
    var failed: Set<Int> = []
    let records = ids.map { ControlMessage.record(.cancel, $0, prefix: configuration.topicPrefix) }
    do throws(ProduceError) { try await producer.send(records) } catch {
      failed = Set(error.failures.map(\.index))
      messages.line("\(failed.count) requests were not cancelled: \(VisibleText.of(error.first.description))")
    }
    let told = ids.indices.filter { !failed.contains($0) }.map { ids[$0] }
    try output.write(told.map { $0 + "\n" }.joined())
    try output.flush()
    return told
  }

  private func wait(for ids: [String], _ timeout: Duration) async throws -> Bool {
    let deadline = Deadline(after: timeout, signal: signal)
    defer { deadline.cancel() }
    var open = ids
    while true {
      _ = try await follower.take()
      let board = await follower.requests
      open.removeAll { id in
        guard let request = board[id], !request.state.isActive else { return false }
        messages.line("\(VisibleText.of(id)): \(request.state.rawValue)")
        return true
      }
      if open.isEmpty { return true }
      guard !deadline.hasPassed else { break }
      await signal.wait()
      try Task.checkCancellation()
    }
    for id in open {
      messages.line("\(VisibleText.of(id)): has not ended after \(Spans.short(timeout)). Do workers run? See tubeline status.")
    }
    return false
  }
}
