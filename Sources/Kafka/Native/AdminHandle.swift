import CLibrdkafka
import Telemetry

/// A client for requests whose answers come as one event each.
final class AdminHandle: Sendable {
  let client: ClientHandle

  init(configuration: KafkaConfiguration, clientID: String, logger: Logger) throws {
    client = try ClientHandle(role: .admin, configuration: configuration, clientID: clientID, events: 0, logger: logger, wake: {})
  }

  deinit { client.abandon { _ in .destroyed } }

  func close() async { await client.shutDown { _ in .destroyed } }

  /// Instead of `close`, where destroying the client could take for ever.
  func leaveBehind() async { await client.shutDown { _ in .leftBehind } }

  /// Sends one request and reads its answer. The library bounds the wait by `timeout` (milliseconds).
  func request<R: Sendable>(
    _ kind: rd_kafka_admin_op_t, timeout: Int32,
    send: @escaping @Sendable (_ client: OpaquePointer, _ options: OpaquePointer?, _ queue: OpaquePointer) throws -> Void,
    read: @escaping @Sendable (_ event: OpaquePointer) throws -> R
  ) async throws -> R {
    try await client.perform { client in
      let options = rd_kafka_AdminOptions_new(client, kind)
      defer { if let options { rd_kafka_AdminOptions_destroy(options) } }
      _ = withErrorText { rd_kafka_AdminOptions_set_request_timeout(options, timeout, $0, $1) }
      // Fails, harmlessly, for requests without an operation at the controller.
      if kind == RD_KAFKA_ADMIN_OP_CREATETOPICS || kind == RD_KAFKA_ADMIN_OP_DELETETOPICS {
        _ = withErrorText { rd_kafka_AdminOptions_set_operation_timeout(options, timeout, $0, $1) }
      }
      guard let queue = rd_kafka_queue_new(client) else { throw KafkaError(RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE) }
      defer { rd_kafka_queue_destroy(queue) }
      try send(client, options, queue)
      guard let event = rd_kafka_queue_poll(queue, timeout &+ 5000) else { throw KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT) }
      defer { rd_kafka_event_destroy(event) }
      let code = rd_kafka_event_error(event)
      if code != RD_KAFKA_RESP_ERR_NO_ERROR { throw KafkaError(code, rd_kafka_event_error_string(event).map { String(cString: $0) }) }
      return try read(event)
    }
  }
}
