import Messages

/// What is published instead of a dead letter, or of an event beside it, that the broker refuses for its size.
enum Oversize {
  /// The next smaller form of the message; `nil` when nothing is left to leave out.
  static func smaller(_ message: OutgoingMessage, isLetter: Bool) -> OutgoingMessage? {
    var headers = message.headers
    if isLetter, let value = message.value {
      // Null is what a letter of a tombstone carries, too: who replays letters has to know which it was.
      headers.set(HeaderName.omittedBytes, String(value.count))
      return OutgoingMessage(topic: message.topic, key: message.key, value: nil, headers: headers)
    }
    headers.removeAll { !HeaderName.isOwn($0.name) }
    let key = isLetter ? nil : message.key
    if headers.count == message.headers.count && key == message.key { return nil }
    return OutgoingMessage(topic: message.topic, key: key, value: message.value, headers: headers)
  }
}
