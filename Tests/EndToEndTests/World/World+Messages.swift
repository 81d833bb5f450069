import JSON
import Kafka
import Messages

/// What tests send, and what they wait for.
extension World {
  static let patience = Duration.seconds(100)

  func send(_ value: [UInt8]?, to topic: Topic = .channelRequests, key: String? = nil, headers: [KafkaHeader] = []) async throws {
    let record = ProducerRecord(topic: prefix + topic.name, key: key.map { Array($0.utf8) }, value: value, headers: headers)
    try await producer.send([record])
  }

  func send(_ text: String, headers: [KafkaHeader] = []) async throws { try await send(Array(text.utf8), headers: headers) }

  /// Publishes a request with an id of its own, which is returned.
  func request(_ request: JSONTree) async throws -> String {
    var request = request
    let id = "r-\(UInt64.random(in: 0 ... .max))"
    request["requestId"] = .string(id)
    try await send(request.bytes())
    return id
  }

  /// Publishes a search with an id of its own, which is returned.
  func search(_ request: JSONTree) async throws -> String {
    var request = request
    let id = "s-\(UInt64.random(in: 0 ... .max))"
    request["requestId"] = .string(id)
    try await send(request.bytes(), to: .searchRequests)
    return id
  }

  /// Publishes plain text and returns the requestId that it gets: where the message lies.
  func plain(_ text: String, headers: [KafkaHeader] = []) async throws -> String {
    let seen = log.state.read { $0.messages[.channelRequests]?.count ?? 0 }
    try await send(text, headers: headers)
    let bytes = Array(text.utf8)
    let record = try await wait("the sent text \"\(text)\"") { state in
      state.messages[.channelRequests]?.dropFirst(seen).first { $0.record.value == bytes }?.record
    }
    return "\(record.topic.dropFirst(prefix.utf8.count))-\(record.partition)-\(record.offset)"
  }

  /// Waits for the request's terminal event.
  func ending(_ requestID: String, within limit: Duration = patience) async throws -> JSONTree {
    try await wait("the end of \(requestID)", within: limit) { $0.endings(requestID).first }
  }

  /// Sends a request and waits for its end.
  func outcome(_ request: JSONTree, within limit: Duration = patience) async throws -> (id: String, ending: JSONTree) {
    let id = try await self.request(request)
    return (id, try await ending(id, within: limit))
  }

  /// All records of a request, once there are so many different ones and everything published has been read.
  func records(_ requestID: String, _ count: Int, within limit: Duration = patience) async throws -> [SeenMessage] {
    try await wait("\(count) records of \(requestID)", within: limit) { state in
      let records = state.records[requestID] ?? []
      return records.count >= count && Set(records.map(\.record.key)).count >= count ? true : nil
    }
    try await log.caughtUp()
    return log.state.read { $0.records[requestID] ?? [] }
  }

  func messages(_ topic: Topic) -> [SeenMessage] { log.state.read { $0.messages[topic] ?? [] } }

  /// Everything that any stage gave up on; the markers of letters that were settled are none.
  func deadLetters() -> [SeenMessage] { StageName.allCases.flatMap { messages(.dead($0)) }.filter { $0.header("tubeline-settled") == nil } }

  /// Waits for a condition on what was published.
  @discardableResult
  func wait<R: Sendable>(
    _ what: String, within limit: Duration = patience, for condition: @Sendable (TopicLog.State) -> R?
  ) async throws -> R {
    if let found = try await log.state.wait(within: limit, for: condition) { return found }
    throw Unmet("\(what) did not come in \(limit)", known: summary())
  }

  /// What is known, for messages: counts of each topic and event, and the last lines of every process.
  func summary(lines: Int = 8) -> String {
    let topics = log.state.read { state in
      state.messages.map { "\($0.key): \($0.value.count)" }.sorted().joined(separator: ", ") + (state.error.map { ", \($0)" } ?? "")
    }
    let events = messages(.requestEvents).reduce(into: [String: Int]()) { $0[$1.json?["type"]?.string ?? "?", default: 0] += 1 }
    let tails = processes.read { $0 }.map { $0.tail(lines) }.joined(separator: "\n")
    return "seen: \(topics)\nevents: \(events)\n\(tails)"
  }
}
