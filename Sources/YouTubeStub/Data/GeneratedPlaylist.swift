/// A playlist of the generator: a channel's uploads, or an ordinary one that is numbered within its channel.
struct GeneratedPlaylist: Resource, Listing {
  let channel: GeneratedChannel
  /// `nil` for the uploads.
  let number: Int?
  let id: String
  let count: Int

  /// `nil` when the channel has no such playlist; without uploads there is no uploads list either.
  init?(channel: GeneratedChannel, number: Int?) {
    self.channel = channel
    self.number = number
    guard channel.uploads.count > 0 else { return nil }
    guard let number else {
      id = channel.profile.uploadsPlaylistID
      count = channel.uploads.listed
      return
    }
    guard channel.profile.playlists.indices.contains(number) else { return nil }
    id = channel.identifiers.playlist(channel: channel.profile.ordinal, number: number)
    count = min(channel.profile.playlists[number], channel.uploads.count, 5_000)
  }

  var version: UInt64 { Scramble.mix(channel.version, UInt64(number.map { $0 + 1 } ?? 0)) }

  var title: String {
    number.map { $0 == 0 ? "\(channel.profile.title): favourites & more" : "\(channel.profile.title): collection \($0)" }
      ?? "Uploads from \(channel.profile.title)"
  }

  // The ordinary lists walk the uploads in larger steps, so their order is another one and neighbours are years apart.
  private var step: Int {
    guard number != nil else { return 1 }
    var step = 7
    while Self.divisor(step, channel.uploads.count) > 1 { step += 2 }
    return step
  }

  private static func divisor(_ first: Int, _ second: Int) -> Int { second == 0 ? first : divisor(second, first % second) }

  func item(at position: Int) -> GeneratedItem {
    let place = number == nil ? position : position * step % channel.uploads.count
    return GeneratedItem(playlist: self, position: position, video: channel.video(at: place))
  }

  func items(_ range: Range<Int>) -> [any Resource] { range.map { item(at: $0) } }

  func items(ofVideo id: String) -> [any Resource] {
    guard let (ordinal, serial) = channel.identifiers.video(id), ordinal == channel.profile.ordinal, channel.uploads.holds(serial) else {
      return []
    }
    let place = channel.uploads.place(of: serial)
    guard number != nil else { return place < count ? [item(at: place)] : [] }
    return (0..<count).filter { $0 * step % channel.uploads.count == place }.map { item(at: $0) }
  }

  func write(_ parts: Set<String>, into emitter: inout Emitter) {
    if parts.contains("snippet") {
      emitter.object("snippet") { emitter in
        emitter.member("publishedAt", channel.profile.publishedAt)
        emitter.member("channelId", channel.id)
        emitter.member("title", title)
        emitter.member("description", "")
        let cover = item(at: 0).video
        Thumbnails.write(video: cover.id, count: Thumbnails.count(cover.serial), into: &emitter)
        emitter.member("channelTitle", channel.profile.title)
        emitter.object("localized") { emitter in
          emitter.member("title", title)
          emitter.member("description", "")
        }
      }
    }
    if parts.contains("status") { emitter.object("status") { $0.member("privacyStatus", "public") } }
    if parts.contains("contentDetails") { emitter.object("contentDetails") { $0.member("itemCount", count) } }
    if parts.contains("player") {
      emitter.object("player") { $0.member("embedHtml", "<iframe src=\"http://www.youtube.com/embed/videoseries?list=\(id)\"></iframe>") }
    }
  }
}

/// An entry of a generated playlist.
struct GeneratedItem: Resource {
  let playlist: GeneratedPlaylist
  let position: Int
  let video: GeneratedVideo

  var id: String {
    let identifiers = playlist.channel.identifiers
    return identifiers.item(playlist: playlist.id, name: playlist.number == nil ? video.id : identifiers.place(position))
  }

  var version: UInt64 { Scramble.mix(video.hash, UInt64(position) << 8 | UInt64(playlist.number.map { $0 + 1 } ?? 0)) }

  /// When the video was added: mostly its own date, a little later now and then, and long after it in ordinary lists.
  private var addedAt: Int {
    guard playlist.number == nil else { return playlist.channel.uploadTime(playlist.channel.profile.uploads) - position * 3_600 }
    return video.publishedAt + (video.serial % 50 == 9 ? 37 : 0)
  }

  func write(_ parts: Set<String>, into emitter: inout Emitter) {
    if parts.contains("snippet") { writeSnippet(into: &emitter) }
    if parts.contains("contentDetails") {
      emitter.object("contentDetails") { emitter in
        emitter.member("videoId", video.id)
        emitter.member("videoPublishedAt", video.isAvailable ? CivilTime.text(video.publishedAt) : nil)
      }
    }
    if parts.contains("status") {
      // A deleted video has "privacyStatusUnspecified" in the wild, which the discovery document does not know: nothing is safe for both.
      emitter.object("status") { $0.member("privacyStatus", video.availability == .deleted ? nil : video.availability.rawValue) }
    }
  }

  private func writeSnippet(into emitter: inout Emitter) {
    emitter.object("snippet") { emitter in
      emitter.member("publishedAt", CivilTime.text(addedAt))
      emitter.member("channelId", playlist.channel.id)
      switch video.availability {
      case .private:
        emitter.member("title", "Private video")
        emitter.member("description", "This video is private.")
      case .deleted:
        emitter.member("title", "Deleted video")
        emitter.member("description", "This video is unavailable.")
      case .public, .unlisted:
        emitter.member("title", video.title)
        emitter.member("description", video.description)
      }
      Thumbnails.write(video: video.id, count: video.isAvailable ? Thumbnails.count(video.serial) : 0, into: &emitter)
      emitter.member("channelTitle", playlist.channel.profile.title)
      emitter.member("playlistId", playlist.id)
      emitter.member("position", position)
      emitter.object("resourceId") { emitter in
        emitter.member("kind", "youtube#video")
        emitter.member("videoId", video.id)
      }
      emitter.member("videoOwnerChannelTitle", video.isAvailable ? playlist.channel.profile.title : nil)
      emitter.member("videoOwnerChannelId", video.isAvailable ? playlist.channel.id : nil)
    }
  }
}
