import CLibrdkafka
import Synchronization
import Telemetry

/// What callbacks of a client may reach; alive from before its creation until after its destruction.
final class CallbackContext: Sendable {
  let logger: Logger
  let clientID: String
  let wake: @Sendable () -> Void
  /// Takes secrets out of what the library says; KAFKA_DEBUG makes it say a lot.
  let redact: @Sendable (String) -> String
  /// A client that must be left behind says nothing more.
  let isSilenced = Atomic(false)

  init(
    logger: Logger, clientID: String, redact: @escaping @Sendable (String) -> String, wake: @escaping @Sendable () -> Void
  ) {
    self.logger = logger
    self.clientID = clientID
    self.wake = wake
    self.redact = redact
  }
}

// Of the process: all clients of a broker that is away say the same, and those that are made anew what their predecessors said.
private let repeatedLines = RepeatedLines()

/// rd_kafka_conf_set_log_cb; called by any thread of the library.
func forwardLog(_ client: OpaquePointer?, _ level: Int32, _ facility: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?) {
  guard let client, let opaque = rd_kafka_opaque(client) else { return }
  let context = Unmanaged<CallbackContext>.fromOpaque(opaque).takeUnretainedValue()
  if context.isSilenced.load(ordering: .relaxed) { return }
  let facility = facility.map { String(cString: $0) } ?? ""
  let text = text.map { String(cString: $0) } ?? ""
  let level = logLevel(level)
  // What is not told at this level counts for nothing; KAFKA_DEBUG is asked for and told whole.
  guard level >= context.logger.level else { return }
  let suppressed = level == .debug ? 0 : repeatedLines.suppressed(before: "\(facility) \(text)")
  guard let suppressed else { return }
  context.logger.log(level, "librdkafka says something") {
    [
      "kafka.client": .string(context.clientID), "kafka.facility": .string(facility), "kafka.message": .string(context.redact(text)),
      "log.suppressed": .int(suppressed),
    ]
  }
}

// What the library calls an error (a lost connection) it mends itself; what it cannot mend arrives as an event.
private func logLevel(_ syslog: Int32) -> LogLevel {
  switch syslog {
  case ...2: .error
  case 3, 4: .warning
  case 5: .notice
  case 6: .info
  default: .debug
  }
}

/// rd_kafka_queue_cb_event_enable; called under the queue's lock, so it only signals.
func forwardWake(_ client: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
  guard let opaque else { return }
  Unmanaged<CallbackContext>.fromOpaque(opaque).takeUnretainedValue().wake()
}
