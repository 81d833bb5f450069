import Kafka
import Messages
import Monitoring
import YouTubeAPI

/// Makes the message of a request.
enum RequestMessage {
  /// `r-` and 16 hexadecimal digits.
  static func newID() -> String { CommandMessage.newID() }

  /// An id is printed on a line of its own.
  static func isUsable(id: String) -> Bool {
    RequestIDText.isUsable(id) && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  static func record(_ entry: ReferenceList.Entry, requestID: String, options: RequestOptions, prefix: String) -> ProducerRecord {
    let request = ChannelRequest(
      requestID: requestID, target: entry.target, options: options, key: entry.reference.normalised)
    return CommandMessage.record(request, prefix: prefix)
  }
}
