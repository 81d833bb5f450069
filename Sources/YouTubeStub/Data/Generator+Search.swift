extension Generator {
  /// The API lists no more videos of one channel by search.
  static let searchCeiling = 500

  func search(_ query: SearchQuery) -> SearchResults {
    let words = (query.text ?? "").lowercased().split { $0 == " " || $0 == "|" }.filter { !$0.hasPrefix("-") }
    // A query of excluded words only, such as "-x", matches nothing.
    if query.text != nil, words.isEmpty, query.text?.contains("-") == true { return SearchResults(items: [], total: 0) }
    let channels: [GeneratedChannel]
    if let id = query.channelID {
      channels = [generatedChannel(id: id)].compactMap { $0 }
    } else {
      channels = allChannels(limit: 200)
    }
    var hits: [GeneratedHit] = []
    let named = channels.filter { channel in query.channelID != nil || words.contains { channel.profile.title.lowercased().contains($0) } }
    if query.kinds.contains(.channel) { hits += named.map { .channel($0) } }
    if query.kinds.contains(.playlist) { hits += named.flatMap { playlists(of: $0) }.map { .playlist($0) } }
    if query.kinds.contains(.video) { hits += videos(query, of: query.channelID == nil ? (named.isEmpty ? channels : named) : channels) }
    hits = hits.filter { hit in
      hit.publishedAt >= query.publishedAfter ?? .min && hit.publishedAt < query.publishedBefore ?? .max
    }
    hits = Array(ordered(hits, query).prefix(Self.searchCeiling))
    return SearchResults(items: hits, total: hits.isEmpty ? 0 : min(1_000_000, hits.count * 49 + 7))
  }

  private func videos(_ query: SearchQuery, of channels: [GeneratedChannel]) -> [GeneratedHit] {
    let share = channels.isEmpty ? 0 : max(1, 600 / channels.count)
    return channels.flatMap { channel -> [GeneratedHit] in
      var hits: [GeneratedHit] = []
      for place in 0..<channel.uploads.listed {
        let video = channel.video(at: place)
        guard video.availability == .public, video.matches(query.videoFilters) else { continue }
        guard video.publishedAt < query.publishedBefore ?? .max else { continue }
        guard video.publishedAt >= query.publishedAfter ?? .min, hits.count < share else { break }
        hits.append(.video(video))
      }
      return hits
    }
  }

  private func ordered(_ hits: [GeneratedHit], _ query: SearchQuery) -> [GeneratedHit] {
    switch query.order {
    case "date": hits.sorted { ($0.publishedAt, $0.id) > ($1.publishedAt, $1.id) }
    case "title": hits.map { ($0.title, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    case "viewCount", "rating", "videoCount": hits.sorted { ($0.weight, $0.id) > ($1.weight, $1.id) }
    default:
      hits.map { (Scramble.mix($0.version, Scramble.hash(query.text ?? "")) >> Self.preference($0.kind), $0) }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  // What has the words in its own name comes first: channels, then playlists.
  private static func preference(_ kind: SearchQuery.Kind) -> UInt64 {
    switch kind {
    case .channel: 32
    case .playlist: 16
    case .video: 0
    }
  }
}

/// A search result of the generator.
enum GeneratedHit: SearchHit {
  case video(GeneratedVideo)
  case channel(GeneratedChannel)
  case playlist(GeneratedPlaylist)

  var kind: SearchQuery.Kind {
    switch self {
    case .video: .video
    case .channel: .channel
    case .playlist: .playlist
    }
  }

  private var resource: any Resource {
    switch self {
    case .video(let video): video
    case .channel(let channel): channel
    case .playlist(let playlist): playlist
    }
  }

  private var channel: GeneratedChannel {
    switch self {
    case .video(let video): video.channel
    case .channel(let channel): channel
    case .playlist(let playlist): playlist.channel
    }
  }

  var id: String { resource.id }
  var version: UInt64 { Scramble.mix(resource.version, 0x5ea7c4) }

  var title: String {
    switch self {
    case .video(let video): video.title
    case .channel(let channel): channel.profile.title
    case .playlist(let playlist): playlist.title
    }
  }

  var publishedAt: Int {
    switch self {
    case .video(let video): video.publishedAt
    case .channel, .playlist: CivilTime.seconds(channel.profile.publishedAt) ?? 0
    }
  }

  /// Views, or what stands for them.
  var weight: Int {
    switch self {
    case .video(let video): video.viewCount ?? 0
    case .channel(let channel): channel.profile.subscribers ?? 0
    case .playlist(let playlist): playlist.count
    }
  }

  private var description: String {
    switch self {
    case .video(let video): video.description
    case .channel(let channel): channel.profile.description
    case .playlist: ""
    }
  }

  func writeSnippet(into emitter: inout Emitter) {
    emitter.object("snippet") { emitter in
      emitter.member("publishedAt", CivilTime.text(publishedAt))
      emitter.member("channelId", channel.id)
      emitter.member("title", HTMLText.escaped(title))
      emitter.member("description", HTMLText.escaped(HTMLText.shortened(description)))
      writeThumbnails(into: &emitter)
      emitter.member("channelTitle", HTMLText.escaped(channel.profile.title))
      emitter.member("liveBroadcastContent", broadcastText)
      emitter.member("publishTime", CivilTime.text(publishedAt))
    }
  }

  private var broadcastText: String { if case .video(let video) = self { video.broadcastText } else { "none" } }

  private func writeThumbnails(into emitter: inout Emitter) {
    switch self {
    case .video(let video): Thumbnails.write(video: video.id, count: min(3, Thumbnails.count(video.serial)), into: &emitter)
    case .channel(let channel):
      Thumbnails.write(channel: channel.id, isPresent: channel.profile.hasThumbnails, withSize: false, into: &emitter)
    case .playlist(let playlist): Thumbnails.write(video: playlist.item(at: 0).video.id, count: 3, into: &emitter)
    }
  }
}
