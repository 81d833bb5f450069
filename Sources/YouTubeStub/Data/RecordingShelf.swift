import JSON

/// Recorded answers sorted into resources; parts of one resource from several answers are put together.
struct RecordingShelf: Sendable {
  private(set) var channels: [String: RecordedResource] = [:]
  private(set) var channelByName: [String: RecordedResource] = [:]
  private(set) var videos: [String: RecordedResource] = [:]
  private(set) var playlists: [String: RecordedResource] = [:]
  /// The entries of each playlist in order.
  private(set) var items: [String: [RecordedResource]] = [:]
  private(set) var itemByID: [String: RecordedResource] = [:]
  private(set) var chart: [RecordedResource] = []
  private(set) var hits: [RecordedHit] = []

  init(answers: [JSONTree]) {
    var hitIDs: Set<String> = []
    for resource in answers.flatMap(Self.resources) {
      switch resource["kind"]?.string {
      case "youtube#channel": Self.put(resource, into: &channels)
      case "youtube#video": Self.put(resource, into: &videos)
      case "youtube#playlist": Self.put(resource, into: &playlists)
      case "youtube#playlistItem": Self.put(resource, into: &itemByID)
      case "youtube#searchResult":
        if let hit = RecordedHit(resource), hitIDs.insert(hit.id).inserted { hits.append(hit) }
      default: continue
      }
    }
    for channel in channels.values.sorted(by: { $0.id < $1.id }) {
      guard let name = channel.tree["snippet"]?["customUrl"]?.string?.lowercased() else { continue }
      channelByName[name.hasPrefix("@") ? String(name.dropFirst()) : name] = channel
    }
    sortItems()
    addEmptyPlaylists()
    chart = videos.values.sorted { $0.id < $1.id }
  }

  // An answer's items, or the one resource that a file holds; answers whose `fields` left the kinds out cannot be told apart.
  private static func resources(_ answer: JSONTree) -> [JSONTree] {
    guard let kind = answer["kind"]?.string else { return [] }
    return kind.hasSuffix("Response") ? answer["items"]?.elements ?? [] : [answer]
  }

  // The first recording of a part counts; later ones bring parts that are missing.
  private static func put(_ tree: JSONTree, into shelf: inout [String: RecordedResource]) {
    guard let id = tree["id"]?.string else { return }
    guard var known = shelf[id] else {
      shelf[id] = RecordedResource(id: id, tree: tree)
      return
    }
    for member in tree.members ?? [] where known.tree[member.key] == nil { known.tree[member.key] = member.value }
    shelf[id] = known
  }

  private mutating func sortItems() {
    for item in itemByID.values {
      guard let playlist = item.tree["snippet"]?["playlistId"]?.string else { continue }
      items[playlist, default: []].append(item)
    }
    for playlist in Array(items.keys) {
      items[playlist]?.sort { ($0.position, $0.id) < ($1.position, $1.id) }
    }
  }

  // A playlist that was recorded as such, with no entries, exists and is empty.
  private mutating func addEmptyPlaylists() {
    for id in playlists.keys where items[id] == nil && playlists[id]?.tree["contentDetails"]?["itemCount"]?.int == 0 { items[id] = [] }
  }
}

/// A recorded resource: it has the parts that were asked for when it was recorded.
struct RecordedResource: Resource {
  let id: String
  var tree: JSONTree

  var version: UInt64 { Scramble.hash(id) }
  var position: Int { tree["snippet"]?["position"]?.int ?? 0 }
  var videoID: String? { tree["snippet"]?["resourceId"]?["videoId"]?.string ?? tree["contentDetails"]?["videoId"]?.string }

  func write(_ parts: Set<String>, into emitter: inout Emitter) {
    emitter.members(of: tree) { parts.contains($0) && $0 != "id" }
  }
}

/// A recorded search result.
struct RecordedHit: SearchHit {
  let id: String
  let kind: SearchQuery.Kind
  let tree: JSONTree

  init?(_ tree: JSONTree) {
    guard let name = tree["id"]?["kind"]?.string, let kind = SearchQuery.Kind(rawValue: String(name.dropFirst("youtube#".count))),
      let id = tree["id"]?["\(kind.rawValue)Id"]?.string
    else { return nil }
    self.id = id
    self.kind = kind
    self.tree = tree
  }

  var version: UInt64 { Scramble.mix(Scramble.hash(id), 0x5ea7c4) }

  func writeSnippet(into emitter: inout Emitter) { emitter.members(of: tree) { $0 == "snippet" } }
}

/// The recorded entries of a playlist. Their positions are those of the recording, so gaps in it stay visible.
struct RecordedListing: Listing {
  let entries: [RecordedResource]

  var count: Int { entries.count }
  func items(_ range: Range<Int>) -> [any Resource] { Array(entries[range]) }
  func items(ofVideo id: String) -> [any Resource] { entries.filter { $0.videoID == id } }
}
