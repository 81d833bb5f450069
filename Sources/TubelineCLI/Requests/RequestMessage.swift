import Kafka
import Messages
import Telemetry
import YouTubeAPI

/// Makes the message of a request.
enum RequestMessage {
  /// `r-` and 16 hexadecimal digits.
  static func newID() -> String {
    var generator = RandomSource()
    let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
    return "r-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func record(_ entry: ReferenceList.Entry, requestID: String, options: RequestOptions, prefix: String) -> ProducerRecord {
    let request = ChannelRequest(
      requestID: requestID, target: .channel(entry.name.text), options: options, key: entry.reference.normalised)
    return CommandMessage.record(request, prefix: prefix)
  }
}
