import FoundationEssentials
import Kafka
import Messages
import Telemetry

/// Makes the message that orders something about a request.
enum ControlMessage {
  static func record(_ order: RequestControl.Order, _ requestID: String, prefix: String) -> ProducerRecord {
    let control = RequestControl(requestID: requestID, order: order, at: Timestamp.rfc3339(Date()))
    return CommandMessage.record(control, at: control.at, prefix: prefix)
  }
}
