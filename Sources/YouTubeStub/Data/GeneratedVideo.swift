/// A video of the generator, computed from its channel and serial number.
struct GeneratedVideo: Resource {
  let channel: GeneratedChannel
  let serial: Int
  let id: String
  let hash: UInt64

  init(channel: GeneratedChannel, serial: Int) {
    self.channel = channel
    self.serial = serial
    id = channel.identifiers.video(channel: channel.profile.ordinal, serial: serial)
    hash = Scramble.mix(UInt64(channel.profile.ordinal) << 32 | UInt64(serial), channel.seed)
  }

  enum Broadcast: Equatable { case none, upcoming, live, completed }

  var version: UInt64 { hash }
  var availability: Uploads.Availability { channel.uploads.availability(serial) }
  /// Whether videos.list returns it.
  var isAvailable: Bool { availability == .public || availability == .unlisted }
  var title: String { Words.title(serial, hash) }
  var description: String { Words.description(serial, hash) }
  var publishedAt: Int { channel.uploadTime(serial) }

  var broadcast: Broadcast {
    switch serial % 97 {
    case 90: .upcoming
    case 91: .live
    case 30, 60: .completed
    default: .none
    }
  }

  var broadcastText: String {
    switch broadcast {
    case .upcoming: "upcoming"
    case .live: "live"
    case .none, .completed: "none"
    }
  }

  /// Every form that was seen in the API; `nil` as during a running premiere.
  var duration: String? {
    switch broadcast {
    case .upcoming: return "P0D"
    case .live: return serial % 2 == 0 ? "P0D" : nil
    case .none, .completed: break
    }
    let (minutes, seconds) = (1 + Int(hash >> 10 & 0xff) % 59, 1 + Int(hash >> 18 & 0xff) % 59)
    switch serial % 24 {
    case 0, 1, 2: return "PT\(seconds)S"
    case 3: return "PT4M"
    case 4: return "PT\(1 + minutes % 11)H\(minutes)M\(seconds)S"
    case 5: return "PT1H"
    case 6: return serial % 5 == 0 ? "PT0S" : "PT2H\(seconds)S"
    case 7: return serial % 5 == 0 ? "P1DT2H\(minutes)M\(seconds)S" : "PT\(minutes)M\(seconds)S"
    case 8: return serial % 7 == 0 ? "P3W3DT20H31M21S" : "PT\(minutes)M"
    default: return "PT\(minutes)M\(seconds)S"
    }
  }

  var is3D: Bool { serial % 211 == 8 }
  var isHD: Bool { serial % 13 != 6 }
  var hasCaptions: Bool { serial % 6 == 1 }
  var isCreativeCommons: Bool { serial % 43 == 10 }
  var isEmbeddable: Bool { serial % 19 != 12 }

  /// Above 2³² now and then; `nil` where hidden.
  var viewCount: Int? {
    if serial % 53 == 17 || broadcast == .upcoming { return nil }
    return serial % 149 == 5 ? 8_706_674_678 + Int(hash >> 50) : Int(hash >> 44)
  }

  func write(_ parts: Set<String>, into emitter: inout Emitter) {
    if parts.contains("snippet") { writeSnippet(into: &emitter) }
    if parts.contains("contentDetails") { writeContentDetails(into: &emitter) }
    if parts.contains("status") { writeStatus(into: &emitter) }
    if parts.contains("statistics") { writeStatistics(into: &emitter) }
    if parts.contains("player") {
      emitter.object("player") {
        $0.member("embedHtml", "<iframe width=\"480\" height=\"270\" src=\"//www.youtube.com/embed/\(id)\"></iframe>")
      }
    }
    if parts.contains("topicDetails"), serial % 3 != 1 {
      emitter.object("topicDetails") { $0.member("topicCategories", strings: ["https://en.wikipedia.org/wiki/Technology"]) }
    }
    if parts.contains("recordingDetails") { emitter.object("recordingDetails") { _ in } }
    if parts.contains("liveStreamingDetails"), broadcast != .none { writeLiveStreamingDetails(into: &emitter) }
    if parts.contains("localizations"), serial % 41 == 3 {
      emitter.object("localizations") { emitter in
        emitter.object("de") { emitter in
          emitter.member("title", "\(title) (deutsch)")
          emitter.member("description", "")
        }
      }
    }
    if parts.contains("paidProductPlacementDetails") {
      emitter.object("paidProductPlacementDetails") { $0.member("hasPaidProductPlacement", serial % 37 == 9) }
    }
  }

  private func writeSnippet(into emitter: inout Emitter) {
    emitter.object("snippet") { emitter in
      emitter.member("publishedAt", CivilTime.text(publishedAt))
      emitter.member("channelId", channel.id)
      emitter.member("title", title)
      emitter.member("description", description)
      Thumbnails.write(video: id, count: Thumbnails.count(serial), into: &emitter)
      emitter.member("channelTitle", channel.profile.title)
      emitter.member("tags", strings: Words.tags(serial, hash))
      emitter.member("categoryId", String(20 + hash % 10))
      emitter.member("liveBroadcastContent", broadcastText)
      emitter.member("defaultLanguage", serial % 4 == 1 ? Words.pick(Words.languages, hash) : nil)
      emitter.object("localized") { emitter in
        emitter.member("title", title)
        emitter.member("description", description)
      }
      emitter.member("defaultAudioLanguage", serial % 3 == 1 ? Words.pick(Words.languages, hash >> 4) : nil)
    }
  }

  private func writeContentDetails(into emitter: inout Emitter) {
    emitter.object("contentDetails") { emitter in
      emitter.member("duration", duration)
      emitter.member("dimension", is3D ? "3d" : "2d")
      emitter.member("definition", isHD ? "hd" : "sd")
      emitter.member("caption", hasCaptions ? "true" : "false")
      emitter.member("licensedContent", serial % 2 == 0)
      emitter.object("contentRating") { emitter in
        emitter.member("ytRating", serial % 83 == 12 ? "ytAgeRestricted" : nil)
      }
      emitter.member("projection", serial % 101 == 33 ? "360" : "rectangular")
    }
  }

  private func writeStatus(into emitter: inout Emitter) {
    emitter.object("status") { emitter in
      emitter.member("uploadStatus", "processed")
      emitter.member("privacyStatus", availability.rawValue)
      emitter.member("license", isCreativeCommons ? "creativeCommon" : "youtube")
      emitter.member("embeddable", isEmbeddable)
      emitter.member("publicStatsViewable", serial % 53 != 17)
      emitter.member("madeForKids", channel.profile.madeForKids || serial % 29 == 14)
    }
  }

  private func writeStatistics(into emitter: inout Emitter) {
    emitter.object("statistics") { emitter in
      emitter.member("viewCount", count: viewCount)
      emitter.member("likeCount", count: serial % 7 == 2 ? nil : viewCount.map { $0 / 40 })
      emitter.member("favoriteCount", "0")
      emitter.member("commentCount", count: serial % 11 == 4 ? nil : viewCount.map { $0 / 900 })
    }
  }

  private func writeLiveStreamingDetails(into emitter: inout Emitter) {
    emitter.object("liveStreamingDetails") { emitter in
      emitter.member("actualStartTime", broadcast == .upcoming ? nil : CivilTime.text(publishedAt - 9_000, milliseconds: 212))
      emitter.member("actualEndTime", broadcast == .completed ? CivilTime.text(publishedAt - 600, milliseconds: 0) : nil)
      emitter.member("scheduledStartTime", CivilTime.text(publishedAt + (broadcast == .upcoming ? 9_000_000 : -9_060)))
      emitter.member("concurrentViewers", count: broadcast == .live ? Int(hash >> 48) : nil)
      emitter.member("activeLiveChatId", broadcast == .live ? "Cg0KC\(id)" : nil)
    }
  }
}
