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
    // When the record was there at the latest. A producer may say what it likes.
    let time = record.timestamp.map { min($0, Int64(now)) }
    switch content {
    case .videos:
      if let value = record.value {
        let video = try VideoEntry(value, offset: record.offset, timestamp: time)
        guard try Self.key(record, is: video.videoID) else { throw UnreadableRecord("the key is not its videoId") }
        self = .video(video)
      } else {
        self = .videoGone(try Self.key(record))
      }
    case .channels:
      if let value = record.value {
        let channel = try ChannelEntry(value, timestamp: time)
        guard try Self.key(record, is: channel.channelID) else { throw UnreadableRecord("the key is not its channelId") }
        self = .channel(channel)
      } else {
        self = .channelGone(try Self.key(record))
      }
    case .events:
      guard let value = record.value else { return nil }
      self = .event(try EventEntry(value, timestamp: time))
    case .channelRequests:
      guard let request = RequestEntry(channelRequest: record, at: time) else { return nil }
      self = .request(request)
    case .searchRequests:
      guard let request = RequestEntry(searchRequest: record, at: time) else { return nil }
      self = .request(request)
    case .letters(let stage):
      let letter = LetterEntry(record, stage: stage, received: time.map { Int($0) } ?? now)
      self = .letter(letter, topic: record.topic, partition: record.partition)
    case .workers: return nil
    }
  }

  private static func key(_ record: ConsumedRecord, is id: String) throws(UnreadableRecord) -> Bool {
    ExactText(try key(record)) == ExactText(id)
  }

  private static func key(_ record: ConsumedRecord) throws(UnreadableRecord) -> String {
    guard let key = record.key, let text = String(validating: key, as: UTF8.self), !text.isEmpty else {
      throw UnreadableRecord("no key")
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
  init?(channelRequest record: ConsumedRecord, at time: Int64?) {
    guard let request = try? ChannelRequest(value: record.value) else { return nil }
    let id = request.requestID ?? Self.origin(record)
    guard id.utf8.count <= RequestIDText.limit else { return nil }
    self.init(
      id: id, kind: .channel, reference: String(request.target.text.prefix(Self.longestReference)), maxVideos: request.options.maxVideos,
      endsEarly: request.options.since != nil || request.options.publishedAfter != nil, begun: time.map { Int($0) })
  }

  /// nil as above.
  init?(searchRequest record: ConsumedRecord, at time: Int64?) {
    guard let request = try? SearchRequest(value: record.value) else { return nil }
    let id = request.requestID ?? Self.origin(record)
    guard id.utf8.count <= RequestIDText.limit else { return nil }
    self.init(
      id: id, kind: .search, reference: String(request.reference.prefix(Self.longestReference)), endsEarly: true,
      begun: time.map { Int($0) })
  }

  /// The id of a request that names none: where its message stood first.
  private static func origin(_ record: ConsumedRecord) -> String {
    ReceivedMessage(
      source: Messages.TopicPartition(topic: record.topic, partition: record.partition), offset: record.offset, key: nil, value: nil,
      headers: record.headers.map { MessageHeader($0.name, $0.value) }
    ).origin
  }
}
