public import FoundationEssentials
public import Telemetry

/// One partition of a topic, by the topic's full name in the cluster.
public struct TopicPartition: Hashable, Sendable, CustomStringConvertible {
  public let topic: String
  public let partition: Int32

  public init(topic: String, partition: Int32) {
    self.topic = topic
    self.partition = partition
  }

  public var description: String { "\(topic)-\(partition)" }
}

/// A message as it came from Kafka. A null value (a tombstone) is `nil`.
public struct ReceivedMessage: Sendable {
  public let source: TopicPartition
  public let offset: Int64
  /// Milliseconds since 1970, where the broker tells it.
  public let timestamp: Int64?
  public let key: [UInt8]?
  public let value: [UInt8]?
  public let headers: [MessageHeader]

  public init(source: TopicPartition, offset: Int64, timestamp: Int64? = nil, key: [UInt8]?, value: [UInt8]?, headers: [MessageHeader] = [])
  {
    self.source = source
    self.offset = offset
    self.timestamp = timestamp
    self.key = key
    self.value = value
    self.headers = headers
  }

  /// Where the message stood before it was retried or replayed: the same after any number of these and of redeliveries.
  public var origin: String {
    if let first = replayedOrigin { return first }
    return retryOrigin ?? "\(source.topic)-\(source.partition)-\(offset)"
  }

  /// Where a message that is tried again stood at first, by its headers; `nil` when they don't tell the whole place.
  public var retryOrigin: String? {
    guard isRetry, let topic = headers[HeaderName.originTopic], let partition = headers[HeaderName.originPartition],
      let offset = headers[HeaderName.originOffset]
    else { return nil }
    let place = "\(topic)-\(partition)-\(offset)"
    // It begins ids, which have a limit too; no topic has a name as long.
    return place.utf8.count <= Self.longestPlace ? place : nil
  }

  private static let longestPlace = 300

  // Anybody may write the header; then it is no more than a request's id of their own choice, as long as it looks like a place.
  private var replayedOrigin: String? {
    guard headers[HeaderName.replayOf] != nil, let first = headers[HeaderName.firstOrigin], first.utf8.count <= Self.longestPlace else {
      return nil
    }
    let parts = first.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, let partition = Int32(parts[parts.count - 2]), let offset = Int64(parts[parts.count - 1]), partition >= 0,
      offset >= 0
    else { return nil }
    return first
  }

  /// Whether a stage put it there to be tried again: only then its retry headers are ours, and not a stranger's.
  public var isRetry: Bool { source.topic.hasSuffix("-retry") }

  /// The CloudEvents id, where Tubeline made it.
  public var ownID: String? {
    guard headers[HeaderName.source]?.hasPrefix(HeaderName.ownSource) == true, let id = headers[HeaderName.id], !id.isEmpty,
      id.utf8.count <= 1000
    else { return nil }
    return id
  }

  /// The span that published the message.
  public var trace: TraceContext? { headers[HeaderName.traceparent].flatMap(TraceContext.init(traceparent:)) }

  /// When the request was published that the message is or follows from; `nil` when nobody tells.
  public var requestedAt: Date? {
    // Anybody may write the header on a topic of requests; there the message is the request.
    let isHandedOn = isRetry || headers[HeaderName.source]?.hasPrefix(HeaderName.ownSource) == true
    if isHandedOn, let time = headers[HeaderName.requestedAt].flatMap(Timestamp.parse) { return time }
    guard let timestamp, timestamp > 0 else { return nil }
    return Date(timeIntervalSince1970: Double(timestamp) / 1000)
  }

  /// Whether the message was published on the topic, before any retry and whatever the installation's prefix.
  public func cameFrom(_ topic: Topic) -> Bool {
    ((isRetry ? headers[HeaderName.originTopic] : nil) ?? source.topic).hasSuffix(topic.name)
  }
}

/// A message that a stage wants to publish. The topic's prefix is added where it leaves.
public struct OutgoingMessage: Sendable {
  public var topic: Topic
  public var key: [UInt8]?
  public var value: [UInt8]?
  public var headers: [MessageHeader]

  public init(topic: Topic, key: [UInt8]?, value: [UInt8]?, headers: [MessageHeader]) {
    self.topic = topic
    self.key = key
    self.value = value
    self.headers = headers
  }
}
