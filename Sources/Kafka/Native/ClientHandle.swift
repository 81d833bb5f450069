import CLibrdkafka
import Dispatch
import Synchronization
import Telemetry

/// The one owner of an rd_kafka_t: lends it, and destroys it once nobody borrows it.
final class ClientHandle: @unchecked Sendable {
  // because rd_kafka_t is thread-safe, and `uses` keeps it alive while it is borrowed
  private let pointer: OpaquePointer
  private let context: Unmanaged<CallbackContext>
  private let configuration: KafkaConfiguration
  private let uses = Mutex(Uses())
  private let unused = DispatchSemaphore(value: 0)
  /// Blocking calls, one after the other.
  private let blocking: DispatchQueue

  private struct Uses {
    var count = 0
    var isClosed = false
  }

  init(
    role: ClientRole, configuration: KafkaConfiguration, clientID: String, events: Int32, logger: Logger,
    wake: @escaping @Sendable () -> Void
  ) throws(KafkaConfigurationError) {
    try configuration.validate()
    let native = NativeConfiguration()
    for (name, value) in role.properties(configuration, clientID: clientID) { try native.set(name, value) }
    native.setEvents(events)
    let context = Unmanaged.passRetained(CallbackContext(logger: logger, clientID: clientID, redact: configuration.redactor, wake: wake))
    do {
      pointer = try native.makeClient(role.isConsumer ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER, context: context.toOpaque())
    } catch {
      context.release()
      throw KafkaConfigurationError(property: error.property, reason: configuration.redactor(error.reason))
    }
    self.context = context
    self.configuration = configuration
    blocking = DispatchQueue(label: "kafka.blocking.\(clientID)")
  }

  // No deinit: owners call `abandon` in theirs, which does nothing after `shutDown`.

  /// Lends the client to a call that returns at once.
  func withPointer<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
    guard enter() else { throw KafkaError.closed }
    defer { leave() }
    return try body(pointer)
  }

  /// Lends the client to a call that may block, on a thread of its own.
  func perform<R: Sendable>(_ body: @escaping @Sendable (OpaquePointer) throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      blocking.async { continuation.resume(with: Result { try self.withPointer(body) }) }
    }
  }

  /// As `perform`, but a cancelled task does not wait on: it throws `_INTR` while the call ends by itself, before any later one begins.
  func performUnlessCancelled<R: Sendable>(_ body: @escaping @Sendable (OpaquePointer) throws -> R) async throws -> R {
    let call = AbandonableCall<R>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard call.begin(continuation) else { return }
        blocking.async { call.settle(Result { try self.withPointer(body) }) }
      }
    } onCancel: {
      call.settle(.failure(KafkaError.abandoned))
    }
  }

  /// What becomes of the client at the end.
  enum Ending { case destroyed, leftBehind }

  /// Refuses new borrowers, waits for the present ones, lets `prepare` release what hangs on the client, destroys it. Later calls only
  /// wait for the first one.
  func shutDown(_ prepare: @escaping @Sendable (OpaquePointer) -> Ending) async {
    await withCheckedContinuation { continuation in
      blocking.async {
        self.destroy(prepare)
        continuation.resume()
      }
    }
  }

  /// As `shutDown`, but waits at most some milliseconds: calls and requests under way may take a minute when the broker is away.
  func shutDown(within timeout: Int32, _ prepare: @escaping @Sendable (OpaquePointer) -> Ending) async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    blocking.async {
      self.destroy(prepare)
      end.finish()
    }
    Self.timers.asyncAfter(deadline: .now() + .milliseconds(Int(timeout))) { end.finish() }
    // A stream of its own task: one that is cancelled would end at once.
    await Task { for await _ in ends {} }.value
  }

  private static let timers = DispatchQueue(label: "kafka.timers")

  /// As `shutDown`, without waiting: for a deinit.
  func abandon(_ prepare: @escaping @Sendable (OpaquePointer) -> Ending) {
    blocking.async { self.destroy(prepare) }
  }

  private func destroy(_ prepare: (OpaquePointer) -> Ending) {
    let (isFirst, isUsed) = uses.withLock { uses in
      defer { uses.isClosed = true }
      return (!uses.isClosed, uses.count > 0)
    }
    guard isFirst else { return }
    if isUsed { unused.wait() }
    switch prepare(pointer) {
    case .destroyed:
      rd_kafka_destroy(pointer)
      context.release()
    case .leftBehind: context._withUnsafeGuaranteedRef { $0.isSilenced.store(true, ordering: .relaxed) }
    }
  }

  /// The wake-up of a queue goes to this client's context.
  func enableWake(on queue: QueueHandle) { queue.enableWake(context: context.toOpaque()) }

  private func enter() -> Bool {
    uses.withLock { uses in
      if uses.isClosed { return false }
      uses.count += 1
      return true
    }
  }

  private func leave() {
    let isLast = uses.withLock { uses in
      uses.count -= 1
      return uses.count == 0 && uses.isClosed
    }
    if isLast { unused.signal() }
  }
}
