/// A channel of the generator as it is at one moment.
struct GeneratedChannel: Resource {
  let profile: ChannelProfile
  let changes: UploadChanges
  let identifiers: Identifiers
  let seed: UInt64
  let uploads: Uploads

  init(profile: ChannelProfile, changes: UploadChanges, identifiers: Identifiers, seed: UInt64) {
    self.profile = profile
    self.changes = changes
    self.identifiers = identifiers
    self.seed = seed
    uploads = Uploads(base: profile.uploads, changes: changes)
  }

  var id: String { profile.id }
  var version: UInt64 { Scramble.mix(Scramble.hash(id), UInt64(uploads.published << 24 | uploads.removed.count)) }

  var truth: ChannelTruth {
    ChannelTruth(
      channelID: id, handle: profile.handle, username: profile.username, title: profile.title, uploadsPlaylistID: profile.uploadsPlaylistID,
      videos: uploads.count, listed: uploads.listed, available: uploads.availableCount)
  }

  /// The moment of an upload; the newest of the original ones is from the end of October 2026, later ones follow by the minute.
  func uploadTime(_ serial: Int) -> Int {
    let newest = 1_793_361_600 + Int(Scramble.mix(UInt64(profile.ordinal), seed) % 86_400)
    guard serial < profile.uploads else { return newest + (serial - profile.uploads + 1) * 60 }
    return newest - (profile.uploads - 1 - serial) * profile.interval
  }

  func video(at place: Int) -> GeneratedVideo { GeneratedVideo(channel: self, serial: uploads.serial(at: place)) }

  func write(_ parts: Set<String>, into emitter: inout Emitter) {
    if parts.contains("snippet") { writeSnippet(into: &emitter) }
    if parts.contains("contentDetails") {
      emitter.object("contentDetails") { emitter in
        emitter.object("relatedPlaylists") { emitter in
          emitter.member("likes", "")
          emitter.member("uploads", profile.uploadsPlaylistID)
        }
      }
    }
    if parts.contains("statistics") { writeStatistics(into: &emitter) }
    if parts.contains("topicDetails") {
      emitter.object("topicDetails") { emitter in
        emitter.member("topicCategories", strings: ["https://en.wikipedia.org/wiki/Technology"])
      }
    }
    if parts.contains("status") {
      emitter.object("status") { emitter in
        emitter.member("privacyStatus", "public")
        emitter.member("isLinked", true)
        emitter.member("longUploadsStatus", "longUploadsUnspecified")
        emitter.member("madeForKids", profile.madeForKids)
      }
    }
    if parts.contains("brandingSettings") {
      emitter.object("brandingSettings") { emitter in
        emitter.object("channel") { emitter in
          emitter.member("title", profile.title)
          emitter.member("description", profile.description)
          emitter.member("country", profile.country)
        }
      }
    }
    if parts.contains("contentOwnerDetails") { emitter.object("contentOwnerDetails") { _ in } }
  }

  private func writeSnippet(into emitter: inout Emitter) {
    emitter.object("snippet") { emitter in
      emitter.member("title", profile.title)
      emitter.member("description", profile.description)
      emitter.member("customUrl", profile.handle?.lowercased())
      emitter.member("publishedAt", profile.publishedAt)
      Thumbnails.write(channel: id, isPresent: profile.hasThumbnails, into: &emitter)
      emitter.object("localized") { emitter in
        emitter.member("title", profile.title)
        emitter.member("description", profile.description)
      }
      emitter.member("country", profile.country)
    }
  }

  private func writeStatistics(into emitter: inout Emitter) {
    emitter.object("statistics") { emitter in
      emitter.member("viewCount", count: profile.subscribers.map { $0 * 437 + 11 })
      emitter.member("subscriberCount", count: profile.subscribers.map(Self.rounded))
      emitter.member("hiddenSubscriberCount", profile.subscribers == nil)
      emitter.member("videoCount", count: uploads.publicCount)
    }
  }

  /// Down to three significant digits, as the API shows subscribers.
  static func rounded(_ count: Int) -> Int {
    var unit = 1
    while count / unit >= 1_000 { unit *= 10 }
    return count / unit * unit
  }
}
