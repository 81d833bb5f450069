import FoundationEssentials
public import Kafka
public import Messages
import Telemetry

/// Makes the message that orders something about a request.
public enum ControlMessage {
  public static func record(_ order: RequestControl.Order, _ requestID: String, prefix: String, program: String = "cli") -> ProducerRecord {
    let control = RequestControl(requestID: requestID, order: order, at: Timestamp.rfc3339(Date()))
    return CommandMessage.record(control, at: control.at, prefix: prefix, program: program)
  }
}
