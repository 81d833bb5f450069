import Messages

/// What is published instead of outputs that the broker refuses for their size. Each step is smaller than the one before,
/// so that a message of any size comes to an end.
enum Oversize {
  /// The step after which nothing is left to leave out.
  static let lastReduction = 4

  static func outputs(reduction: Int, farewell: [OutgoingMessage], letter: OutgoingMessage) -> [OutgoingMessage] {
    switch reduction {
    case 1: return farewell + [letter]
    case 2: return farewell + [bare(letter)]
    case 3: return farewell.map(withoutForeignHeaders) + [withoutForeignHeaders(bare(letter, key: false))]
    default: return []
    }
  }

  private static func bare(_ letter: OutgoingMessage, key: Bool = true) -> OutgoingMessage {
    OutgoingMessage(topic: letter.topic, key: key ? letter.key : nil, value: nil, headers: letter.headers)
  }

  private static func withoutForeignHeaders(_ message: OutgoingMessage) -> OutgoingMessage {
    var message = message
    message.headers.removeAll { !HeaderName.isOwn($0.name) }
    return message
  }
}
