import Kafka
import Messages
import Monitoring
import YouTubeAPI

/// Makes the message of a request.
enum RequestMessage {
  /// `r-` and 16 hexadecimal digits.
  static func newID() -> String { CommandMessage.newID() }

  static func record(_ entry: ReferenceList.Entry, requestID: String, options: RequestOptions, prefix: String) -> ProducerRecord {
    let request = ChannelRequest(
      requestID: requestID, target: entry.target, options: options, key: entry.reference.normalised)
    return CommandMessage.record(request, prefix: prefix)
  }
}
