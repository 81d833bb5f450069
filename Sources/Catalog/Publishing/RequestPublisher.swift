import Messages

/// What the page may publish.
enum PublishedMessage {
  case channel(ChannelRequest)
  case search(SearchRequest)
  case cancel(String)

  var topic: Topic {
    switch self {
    case .channel: ChannelRequest.topic
    case .search: SearchRequest.topic
    case .cancel: RequestControl.topic
    }
  }
}

/// Publishes; returns when the broker has it.
protocol RequestPublisher: Sendable {
  func publish(_ message: PublishedMessage) async throws(Problem)
}
