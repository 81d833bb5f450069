import Kafka
import Messages
import Telemetry
import WorkerApp

/// `tubeline publish`: requests for the pipeline.
enum PublishCommand: Command {
  static let specification = CommandSpecification(
    name: "publish", summary: "publishes requests and prints their ids", operands: "NAME…",
    options: RequestFlags.all + [
      OptionSpecification("--request-id", "ID", "The id of the request; for one name only. Default: a new one each."),
      OptionSpecification("--skip-invalid", "Publish the usable names although others are not (exit code 1)."),
    ],
    settings: [.kafkaServers, .topicPrefix],
    examples: [
      .init("tubeline publish Apple @Google 'https://www.youtube.com/channel/UCFtEEv80fQVKkD4h1PF-Xqw'", "Three requests."),
      .init("cut -f1 channels.tsv | tubeline publish - --published-after 2026-01-01", "One request a line of standard input."),
      .init("tubeline publish --from names.txt --since last", "Only what each channel has uploaded since its last completed request."),
    ],
    notes: [
      """
      NAME is anything a person pastes: a name, @handle, channel id, or the address of a channel, playlist or video; - reads names from
      standard input. With --scope video it is the address or the id of a video. All names are checked first: if one is unusable, nothing is published and the exit code is 2. Prints one request id
      a line, in the order of the names, once the broker has them. Follow a request with: tubeline events --request ID
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let options = try RequestFlags.options(invocation.arguments)
    let configuration = try invocation.configuration()
    let list = ReferenceList(
      try await NameInput.names(invocation.arguments), allowSearch: options.allowSearch, scope: options.scope)
    for problem in list.problems { invocation.messages.line(problem) }
    if !list.problems.isEmpty && !invocation.arguments.has("--skip-invalid") {
      invocation.messages.line("Nothing was published. Mend the names, or leave them out with --skip-invalid.")
      return .usage
    }
    if list.repetitions > 0 { invocation.messages.line(list.repetitionSentence("published")) }
    let requestID = invocation.arguments.values["--request-id"]
    if let requestID, list.entries.count != 1 || !RequestMessage.isUsable(id: requestID) {
      throw UsageError("--request-id needs exactly one name, and 1 to \(RequestIDText.limit) bytes without control characters.")
    }
    // Requests whose ids nobody learns cannot be followed.
    try invocation.output.requireOpen()
    let published = try await publish(list.entries, requestID, options, configuration, invocation)
    return published && list.problems.isEmpty ? .done : .incomplete
  }

  private static func publish(
    _ entries: [ReferenceList.Entry], _ requestID: String?, _ options: RequestOptions, _ configuration: AppConfiguration,
    _ invocation: Invocation
  ) async throws -> Bool {
    try await configuration.expectTopic(ChannelRequest.topic)
    let producer = try Producer(configuration: configuration.kafka, clientID: "tubeline-cli", logger: .silent)
    do {
      var isComplete = true
      for start in stride(from: 0, to: entries.count, by: 1000) {
        let batch = entries[start..<min(start + 1000, entries.count)].map { (entry: $0, id: requestID ?? RequestMessage.newID()) }
        let records = batch.map {
          RequestMessage.record($0.entry, requestID: $0.id, options: options, prefix: configuration.topicPrefix)
        }
        isComplete = try await send(records, ids: batch.map(\.id), producer, invocation) && isComplete
      }
      await producer.close()
      return isComplete
    } catch {
      await producer.close()
      throw error
    }
  }

  private static func send(_ records: [ProducerRecord], ids: [String], _ producer: Producer, _ invocation: Invocation) async throws -> Bool
  {
    var failed: Set<Int> = []
    do throws(ProduceError) { try await producer.send(records) } catch {
      failed = Set(error.failures.map(\.index))
      let what = failed.count == 1 ? "request was" : "requests were"
      invocation.messages.line("\(failed.count) \(what) not published: \(VisibleText.of(error.first.description))")
    }
    try invocation.output.write(ids.indices.filter { !failed.contains($0) }.map { ids[$0] + "\n" }.joined())
    try invocation.output.flush()
    return failed.isEmpty
  }
}
