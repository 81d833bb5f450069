import JSON
import Kafka
import Messages

/// What a record of one of the topics does to the store.
enum CatalogInput: Sendable {
  case video(VideoEntry)
  case videoGone(String)
  case channel(ChannelEntry)
  case channelGone(String)
  case event(EventEntry)
  case request(RequestEntry)
  case letter(LetterEntry, topic: String, partition: Int32)

  /// nil for a record that says nothing to the catalogue. Throws for one that is not what its topic promises.
  init?(_ record: ConsumedRecord, _ content: CatalogTopics.Content, now: Int) throws(UnreadableRecord) {
    switch content {
    case .videos:
      if let value = record.value {
        self = .video(try VideoEntry(value, offset: record.offset, timestamp: record.timestamp))
      } else {
        self = .videoGone(try Self.key(record))
      }
    case .channels:
      if let value = record.value {
        self = .channel(try ChannelEntry(value, timestamp: record.timestamp))
      } else {
        self = .channelGone(try Self.key(record))
      }
    case .events:
      guard let value = record.value else { return nil }
      self = .event(try EventEntry(value, timestamp: record.timestamp))
    case .channelRequests:
      guard let request = RequestEntry(channelRequest: record) else { return nil }
      self = .request(request)
    case .searchRequests:
      guard let request = RequestEntry(searchRequest: record) else { return nil }
      self = .request(request)
    case .letters(let stage):
      self = .letter(LetterEntry(record, stage: stage, now: now), topic: record.topic, partition: record.partition)
    case .workers: return nil
    }
  }

  private static func key(_ record: ConsumedRecord) throws(UnreadableRecord) -> String {
    guard let key = record.key, let text = String(validating: key, as: UTF8.self), !text.isEmpty else {
      throw UnreadableRecord("a null value without a key")
    }
    return text
  }

  func apply(to writer: inout CatalogWriter, _ cluster: String) throws {
    switch self {
    case .video(let video): try writer.put(video)
    case .videoGone(let id): try writer.remove(video: id)
    case .channel(let channel): try writer.put(channel)
    case .channelGone(let id): try writer.remove(channel: id)
    case .event(let event): try writer.put(event)
    case .request(let request): try writer.put(request)
    case .letter(let letter, let topic, let partition): try writer.put(letter, cluster, topic, partition)
    }
  }
}

extension RequestEntry {
  /// nil for what no worker will take for a request: its `rejected` event makes it known.
  init?(channelRequest record: ConsumedRecord) {
    guard let request = try? ChannelRequest(value: record.value) else { return nil }
    let id = request.requestID ?? Self.origin(record)
    guard id.utf8.count <= Self.longestID else { return nil }
    self.init(
      id: id, kind: .channel, reference: String(request.target.text.prefix(Self.longestReference)), maxVideos: request.options.maxVideos,
      endsEarly: request.options.since != nil || request.options.publishedAfter != nil, begun: record.timestamp.map { Int($0) })
  }

  /// A further page of a search is a message on the same topic, with the same id.
  init?(searchRequest record: ConsumedRecord) {
    guard let value = record.value else { return nil }
    var (id, query): (String?, String?)
    if let root = try? RecordJSON.object(value) {
      id = root["requestId"]?.string
      query = root["query"]?.string
    } else {
      query = String(validating: value, as: UTF8.self)
    }
    let known = id ?? Self.origin(record)
    guard !known.isEmpty, known.utf8.count <= Self.longestID else { return nil }
    self.init(
      id: known, kind: .search, reference: query.map { String($0.prefix(Self.longestReference)) }, endsEarly: true,
      begun: record.timestamp.map { Int($0) })
  }

  /// The id of a request that names none: where its message stood first.
  private static func origin(_ record: ConsumedRecord) -> String {
    ReceivedMessage(
      source: Messages.TopicPartition(topic: record.topic, partition: record.partition), offset: record.offset, key: nil, value: nil,
      headers: record.headers.map { MessageHeader($0.name, $0.value) }
    ).origin
  }
}
