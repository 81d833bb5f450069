import FoundationEssentials
import Messages
import Pipeline
import Telemetry
import TestSupport

/// A stage that does what a test says.
struct ScriptedStage: Stage {
  typealias Handler = @Sendable (ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage]

  var name = StageName.channels
  var inputs: [Topic] = [.channelRequests]
  var retriesInPlace = false
  var skipsRepetitions = false
  let starts = EventLog<String>()
  /// What was told to be delivered: the message, and how many outputs it has.
  let deliveries = EventLog<String>()
  var whenDelivered: @Sendable () async -> Void = {}
  var concluding: @Sendable ([OutgoingMessage], ReceivedMessage) -> [OutgoingMessage] = { outputs, _ in outputs }
  let handler: Handler

  init(retriesInPlace: Bool = false, name: StageName = .channels, _ handler: @escaping Handler = { [ScriptedStage.output($0)] }) {
    self.retriesInPlace = retriesInPlace
    self.name = name
    self.handler = handler
  }

  func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage] {
    starts.append(message.text)
    return try await handler(message)
  }

  func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage] {
    let inherited = message.headers.filter { $0.name == "big" }
    return [OutgoingMessage(topic: .requestEvents, key: nil, value: Array("farewell \(rejection.code.rawValue)".utf8), headers: inherited)]
  }

  func conclude(_ outputs: [OutgoingMessage], of message: ReceivedMessage) -> [OutgoingMessage] { concluding(outputs, message) }

  func delivered(_ message: ReceivedMessage, _ outputs: [OutgoingMessage]) async {
    deliveries.append("\(message.text): \(outputs.map(\.topic.name).joined(separator: ","))")
    await whenDelivered()
  }

  static func output(_ message: ReceivedMessage) -> OutgoingMessage {
    OutgoingMessage(topic: .channelDetails, key: message.key, value: Array("of \(message.text)".utf8), headers: [])
  }
}

extension ReceivedMessage {
  var text: String { value.map { String(decoding: $0, as: UTF8.self) } ?? "null" }
}

extension OutgoingMessage {
  var text: String { value.map { String(decoding: $0, as: UTF8.self) } ?? "null" }
}

extension Gate {
  func passOrCancel() async throws(StageFailure) {
    do throws(CancellationError) { try await pass() } catch { throw .cancelled }
  }
}

/// A worker with everything around it in memory, and time that stands still.
struct WorkerHarness: Sendable {
  static let base = Date(timeIntervalSince1970: 1_800_000_000)

  let clock = ManualClock()
  let broker: MemoryBroker
  let source: MemorySource
  let delivery: MemoryDelivery
  let log = LogRecorder()
  let metrics = Metrics()
  let stage: ScriptedStage
  let worker: Worker
  let input = TopicPartition(topic: "channel-requests", partition: 0)
  let other = TopicPartition(topic: "channel-requests", partition: 1)
  private let ended = EventLog<WorkerError?>()

  init(
    _ stage: ScriptedStage = ScriptedStage(), _ configuration: WorkerConfiguration = WorkerConfiguration(), largestOutput: Int = .max,
    isTransactional: Bool = true,
    tracing: WorkerTracing = .off
  ) {
    self.stage = stage
    broker = MemoryBroker()
    source = MemorySource(broker)
    delivery = MemoryDelivery(broker, largestOutput: largestOutput, isTransactional: isTransactional)
    worker = Worker(
      stage: stage, source: source, delivery: delivery, configuration: configuration, clock: clock,
      now: { [clock] in Self.base.addingTimeInterval(clock.elapsed) }, logger: log.logger(), metrics: metrics,
      tracing: tracing)
  }

  var now: Date { Self.base.addingTimeInterval(clock.elapsed) }

  func publish(_ texts: String..., to partition: Int32 = 0) {
    for text in texts { broker.append(text, to: .channelRequests, partition: partition) }
  }

  /// Runs the worker beside the test's steps, shuts it down after them, and returns what its `run` threw.
  @discardableResult
  func run(_ steps: () async throws -> Void) async rethrows -> WorkerError? {
    let task = start()
    do { try await steps() } catch {
      task.cancel()
      throw error
    }
    await worker.shutDown()
    return await end()
  }

  func start() -> Task<Void, Never> {
    Task {
      do throws(WorkerError) {
        try await worker.run()
        ended.append(nil)
      } catch { ended.append(error) }
    }
  }

  /// Lets time pass until `run` returns.
  func end() async -> WorkerError? {
    await pass { ended.count > 0 }
    return ended.events[0]
  }

  var hasEnded: Bool { ended.count > 0 }

  /// Lets time pass, from one wake-up to the next, until something is so.
  func pass(until isSo: () async -> Bool) async {
    while !(await isSo()), !Task.isCancelled {
      await settle()
      if await isSo() { return }
      if let next = clock.timeToNextWake { clock.advance(by: next) }
      await settle()
    }
  }

  /// Lets so much time pass that the worker has looked at each second of it.
  func pass(seconds: Int) async {
    for _ in 0..<seconds {
      let polls = source.polls
      while source.polls == polls && !source.isClosed && !Task.isCancelled {
        await clock.waitUntilSleepers(1)
        clock.advance(by: .seconds(1))
        for _ in 0..<1000 where source.polls == polls { await Task.yield() }
      }
    }
  }

  // Others may go on; time waits for them a little, so that it does not run far ahead on a busy machine.
  private func settle() async {
    for _ in 0..<20 { await Task.yield() }
  }

  var outputs: [String] { broker.messages(.channelDetails).map(\.text) }
}

extension ManualClock {
  var elapsed: Double {
    let (seconds, attoseconds) = now.offset.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
