public import Messages
public import YouTubeAPI

/// Leads a reference to its channel with as few units as its form allows.
public struct ChannelResolver: Sendable {
  public struct Resolution: Sendable {
    public var channel: Channel?
    public var by: ChannelDetails.Resolution
    /// What the look-ups cost; a shared look-up of 50 ids counts 1.
    public var units: Int
    /// Searches of the day's.
    public var searches = 0

    var totals: Totals { Totals(units: units, searches: searches) }
  }

  let client: YouTubeClient
  let batcher: ChannelBatcher

  public init(client: YouTubeClient, batcher: ChannelBatcher) {
    self.client = client
    self.batcher = batcher
  }

  /// Nobody there: a resolution without channel. A playlist has none.
  public func resolve(_ reference: Reference, allowSearch: Bool) async throws(APIFailure) -> Resolution {
    var found: Resolution
    switch reference {
    case .id(let id): found = Resolution(channel: try await batcher.channel(id: id), by: .id, units: 1)
    case .handle(let handle): found = Resolution(channel: try await batcher.channel(forHandle: handle), by: .handle, units: 1)
    case .username(let name): found = Resolution(channel: try await batcher.channel(forUsername: name), by: .username, units: 1)
    case .customName(let name): found = try await resolve(customName: name)
    case .name(let name): found = try await resolve(name: name)
    case .video(let id): found = try await resolve(video: id)
    case .playlist: found = Resolution(channel: nil, by: .id, units: 0)
    }
    if found.channel == nil, allowSearch, let text = reference.searchText {
      try await search(text, &found)
    }
    return found
  }

  // Handle first: the other order returns strangers, since anybody may have taken the legacy name.
  private func resolve(name: String) async throws(APIFailure) -> Resolution {
    if !name.contains(where: \.isWhitespace) {
      if let channel = try await batcher.channel(forHandle: name) { return Resolution(channel: channel, by: .handle, units: 1) }
      return Resolution(channel: try await batcher.channel(forUsername: name), by: .username, units: 2)
    }
    return Resolution(channel: nil, by: .handle, units: 0)
  }

  // No method looks up a /c/ name. Today it is mostly the handle; as a username it often belongs to another channel,
  // so that answer counts only when the channel says the name is its own.
  private func resolve(customName name: String) async throws(APIFailure) -> Resolution {
    if let channel = try await batcher.channel(forHandle: name) { return Resolution(channel: channel, by: .handle, units: 1) }
    let channel = try await batcher.channel(forUsername: name)
    let isOwn = channel?.customUrl?.lowercased().trimmingPrefix("@") == name.lowercased()[...]
    return Resolution(channel: isOwn ? channel : nil, by: .username, units: 2)
  }

  private func resolve(video id: String) async throws(APIFailure) -> Resolution {
    guard let channelID = try await client.videos(ids: [id]).first(where: { $0.id == id })?.channelID else {
      return Resolution(channel: nil, by: .video, units: 1)
    }
    return Resolution(channel: try await batcher.channel(id: channelID), by: .video, units: 2)
  }

  private func search(_ text: String, _ found: inout Resolution) async throws(APIFailure) {
    let page = try await client.search(SearchQuery(text: text, kinds: [.channel], maxResults: 5))
    found.searches += 1
    // The first result for a phrase may be of another kind, whatever was asked for.
    guard let result = page.results.first(where: { $0.kind == .channel }) else { return }
    found.channel = try await batcher.channel(id: result.id)
    found.units += 1
    found.by = .search
  }
}

extension Reference {
  fileprivate var searchText: String? {
    switch self {
    case .handle(let text), .username(let text), .customName(let text), .name(let text): text
    case .id, .video, .playlist: nil
    }
  }
}
