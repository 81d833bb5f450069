import CLibrdkafka

extension KafkaError {
  /// From a bare code; an optional text says more than the code's own.
  init(_ code: rd_kafka_resp_err_t, _ text: String? = nil, isFatal: Bool = false) {
    self.init(
      code: code.rawValue, name: String(cString: rd_kafka_err2name(code)),
      message: text ?? String(cString: rd_kafka_err2str(code)),
      isFatal: isFatal || code == RD_KAFKA_RESP_ERR__FATAL, isRetriable: retriableCodes.contains(code.rawValue))
  }

  /// Takes over an rd_kafka_error_t; nil when there is none.
  init?(consuming error: OpaquePointer?) {
    guard let error else { return nil }
    self.init(borrowing: error)
    rd_kafka_error_destroy(error)
  }

  init(borrowing error: OpaquePointer) {
    self.init(
      code: rd_kafka_error_code(error).rawValue, name: String(cString: rd_kafka_error_name(error)),
      message: String(cString: rd_kafka_error_string(error)), isFatal: rd_kafka_error_is_fatal(error) != 0,
      isRetriable: rd_kafka_error_is_retriable(error) != 0, isAbortable: rd_kafka_error_txn_requires_abort(error) != 0)
  }

  /// `_FATAL` hides the cause: the client knows it.
  static func resolvingFatal(_ code: rd_kafka_resp_err_t, of client: OpaquePointer, _ text: String? = nil) -> KafkaError {
    guard code == RD_KAFKA_RESP_ERR__FATAL else { return KafkaError(code, text) }
    let (cause, reason) = withErrorText { rd_kafka_fatal_error(client, $0, $1) }
    return cause == RD_KAFKA_RESP_ERR_NO_ERROR ? KafkaError(code, text) : KafkaError(cause, reason, isFatal: true)
  }

  static func check(_ code: rd_kafka_resp_err_t) throws {
    if code != RD_KAFKA_RESP_ERR_NO_ERROR { throw KafkaError(code) }
  }

  static func check(consuming error: OpaquePointer?) throws {
    if let error = KafkaError(consuming: error) { throw error }
  }
}

// Codes that come without an rd_kafka_error_t, and so without its verdict.
private let retriableCodes: Set<Int32> = Set(
  [
    RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE,
    RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__QUEUE_FULL, RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR__RESOLVE,
    RD_KAFKA_RESP_ERR__RETRY,
    RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT, RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE,
    RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE,
    RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS, RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_COORDINATOR,
    RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS, RD_KAFKA_RESP_ERR_UNSTABLE_OFFSET_COMMIT, RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS,
    RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR, RD_KAFKA_RESP_ERR_NOT_CONTROLLER, RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED,
  ].map(\.rawValue))
