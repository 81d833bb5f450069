import CLibrdkafka
import Telemetry

/// The one owner of an rd_kafka_conf_t, until a client takes it over.
final class NativeConfiguration {
  private var pointer: OpaquePointer?

  init() {
    pointer = rd_kafka_conf_new()
    // Without a callback the library writes to standard error.
    rd_kafka_conf_set_log_cb(pointer, forwardLog)
  }

  deinit { if let pointer { rd_kafka_conf_destroy(pointer) } }

  func set(_ name: String, _ value: String) throws(KafkaConfigurationError) {
    let (result, text) = withErrorText { rd_kafka_conf_set(pointer, name, value, $0, $1) }
    switch result {
    case RD_KAFKA_CONF_OK where name.utf8.contains(0) || value.utf8.contains(0):
      throw KafkaConfigurationError(property: name, reason: "holds a NUL byte")
    case RD_KAFKA_CONF_OK: return
    case RD_KAFKA_CONF_UNKNOWN: throw KafkaConfigurationError(property: name, reason: "librdkafka has no such property")
    default:
      let own = KafkaConfiguration(bootstrapServers: "", properties: [name: value])
      throw KafkaConfigurationError(property: name, reason: own.redactor(text))
    }
  }

  func setEvents(_ events: Int32) { rd_kafka_conf_set_events(pointer, events) }

  /// Makes the client; the library owns the properties afterwards.
  func makeClient(_ type: rd_kafka_type_t, context: UnsafeMutableRawPointer) throws(KafkaConfigurationError) -> OpaquePointer {
    rd_kafka_conf_set_opaque(pointer, context)
    let (client, text) = withErrorText { rd_kafka_new(type, pointer, $0, $1) }
    guard let client else { throw KafkaConfigurationError(property: nil, reason: text) }
    pointer = nil
    return client
  }
}

/// Calls a C function that writes an error text into a buffer.
func withErrorText<R>(_ body: (UnsafeMutablePointer<CChar>?, Int) -> R) -> (R, String) {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
    buffer.initialize(repeating: 0)
    let result = body(buffer.baseAddress, buffer.count)
    return (result, buffer.baseAddress.map { String(cString: $0) } ?? "")
  }
}
