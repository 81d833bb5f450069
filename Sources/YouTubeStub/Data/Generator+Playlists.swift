extension Generator {
  func listing(_ playlistID: String) -> (any Listing)? { generatedPlaylist(playlistID) }
  func playlist(_ id: String) -> (any Resource)? { generatedPlaylist(id) }

  func generatedPlaylist(_ id: String) -> GeneratedPlaylist? {
    if id.hasPrefix("UU") {
      return generatedChannel(id: "UC" + id.dropFirst(2)).flatMap { GeneratedPlaylist(channel: $0, number: nil) }
    }
    guard let (ordinal, number) = identifiers.playlist(id), let channel = channel(ordinal: ordinal) else { return nil }
    return GeneratedPlaylist(channel: channel, number: number)
  }

  func playlists(ofChannel id: String) -> [any Resource]? { generatedChannel(id: id).map { playlists(of: $0) } }

  func playlists(of channel: GeneratedChannel) -> [GeneratedPlaylist] {
    channel.profile.playlists.indices.compactMap { GeneratedPlaylist(channel: channel, number: $0) }
  }

  func playlistItem(_ id: String) -> (any Resource)? {
    guard let (playlistID, name) = identifiers.item(id), let playlist = generatedPlaylist(playlistID) else { return nil }
    guard playlist.number != nil else { return playlist.items(ofVideo: name).first }
    guard let position = identifiers.place(name), position < playlist.count else { return nil }
    return playlist.item(at: position)
  }
}
