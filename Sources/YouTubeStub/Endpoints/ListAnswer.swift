/// The frame that the answers of all list methods share.
struct ListAnswer {
  /// Where `items` and `pageInfo` stand, and what happens to an empty `items`: the methods differ.
  enum Order { case pageInfoFirst, itemsFirst }

  var kind: String
  var itemKind: String
  var items: [any Resource]
  var totalResults: Int
  var resultsPerPage: Int
  var page: Page?
  var order = Order.itemsFirst
  var omitsEmptyItems = false
  var regionCode: String?
  var parts: Set<String>

  /// The JSON text; its etag is a hash of everything else in it.
  func bytes(_ selection: FieldMask.Selection, pretty: Bool) -> (bytes: [UInt8], etag: String) {
    var emitter = Emitter(selection: selection, pretty: pretty, capacity: 1_024 + items.count * 2_048)
    emitter.root { write(into: &$0) }
    var bytes = emitter.bytes
    let etag = Scramble.etag(bytes.withUnsafeBytes { Scramble.hash($0) })
    let placeholder = Array(Self.placeholder.utf8)
    // It stands among the first members, or nowhere.
    let head = bytes.prefix(200)
    if let range = head.firstRange(of: placeholder) { bytes.replaceSubrange(range, with: Array(etag.utf8)) }
    return (bytes, etag)
  }

  private static let placeholder = "...........................".prefix(27)

  private func write(into emitter: inout Emitter) {
    emitter.member("kind", "youtube#\(kind)")
    emitter.member("etag", String(Self.placeholder))
    emitter.member("nextPageToken", page?.next)
    emitter.member("prevPageToken", page?.previous)
    emitter.member("regionCode", regionCode)
    if order == .pageInfoFirst { writePageInfo(into: &emitter) }
    if !(omitsEmptyItems && items.isEmpty) {
      emitter.array("items", items) { emitter, item in
        emitter.member("kind", "youtube#\(itemKind)")
        emitter.member("etag", Scramble.etag(Scramble.mix(item.version, UInt64(parts.count))))
        if let hit = item as? any SearchHit { hit.writeID(into: &emitter) } else { emitter.member("id", item.id) }
        item.write(parts, into: &emitter)
      }
    }
    if order == .itemsFirst { writePageInfo(into: &emitter) }
  }

  private func writePageInfo(into emitter: inout Emitter) {
    emitter.object("pageInfo") { emitter in
      emitter.member("totalResults", totalResults)
      emitter.member("resultsPerPage", resultsPerPage)
    }
  }
}

extension SearchHit {
  func writeID(into emitter: inout Emitter) {
    emitter.object("id") { emitter in
      emitter.member("kind", "youtube#\(kind.rawValue)")
      switch kind {
      case .video: emitter.member("videoId", id)
      case .channel: emitter.member("channelId", id)
      case .playlist: emitter.member("playlistId", id)
      }
    }
  }

  func write(_ parts: Set<String>, into emitter: inout Emitter) {
    if parts.contains("snippet") { writeSnippet(into: &emitter) }
  }
}
