import HTTPServer
import JSON

extension CatalogAPI {
  func catalogue() async throws -> HTTPServer.Response {
    let view = try await CatalogueView.read(store, pipeline)
    return .api(view.bytes)
  }

  func channels(_ parameters: Parameters) async throws -> HTTPServer.Response {
    let text = try parameters.text("q", most: 500) ?? ""
    let sort: CatalogReader.ChannelSort = try parameters.word("sort", default: .title)
    let limit = try parameters.limit()
    guard text.allSatisfy(\.isWhitespace) else { return try await searchedChannels(text, parameters, limit) }
    let list = "channels/\(sort.rawValue)"
    let cursor = try parameters.cursor(for: list)
    let page = try await store.read { reader in
      let place = cursor.map { CatalogReader.ChannelPlace(title: $0.text, key: $0.numbers.first ?? 0, n: $0.numbers.last ?? 0) }
      return try reader.channels(sort, behind: place, limit: limit)
    }
    return .api { writer in
      Self.write(channels: page.rows, to: &writer)
      writer.member("next", page.next.map { Cursor($0.key, $0.n, text: $0.title).encoded(for: list) })
    }
  }

  private func searchedChannels(_ text: String, _ parameters: Parameters, _ limit: Int) async throws -> HTTPServer.Response {
    let found = try await found(.channels, text, parameters, limit) { try $0.channel(number: $1) }
    return .api { writer in
      Self.write(channels: found.rows, to: &writer)
      writer.member("next", found.next)
    }
  }

  func channel(_ id: String) async throws -> HTTPServer.Response {
    let found = try await store.read { reader in
      try reader.channel(id).map { ($0, try reader.newestRequest(ofChannel: id)) }
    }
    guard let (channel, request) = found else { throw Self.noChannel }
    var writer = JSONWriter(capacity: 4096)
    ChannelView(channel).writeDetails(request: request.map { RequestView($0) }, to: &writer)
    return .api(writer.bytes)
  }

  static let noChannel = Problem(.notFound, "The catalogue has no such channel.")

  func videos(ofChannel id: String?, _ parameters: Parameters) async throws -> HTTPServer.Response {
    let selection = try parameters.selection()
    let limit = try parameters.limit()
    let list = "videos/\(id ?? "")/\(selection.name)"
    let cursor = try parameters.cursor(for: list)
    let page = try await store.read { reader in
      var selection = selection
      if let id {
        guard let channel = try reader.channel(id) else { throw Self.noChannel }
        selection.channel = channel.n
      }
      let place = cursor.map { VideoSelection.Place(key: $0.numbers.first ?? 0, n: $0.numbers.last ?? 0) }
      return try reader.videos(selection, behind: place, limit: limit)
    }
    return .api { writer in
      Self.write(videos: page.rows, to: &writer)
      writer.member("next", page.next.map { Cursor($0.key, $0.n).encoded(for: list) })
    }
  }

  func foundVideos(_ id: String, _ parameters: Parameters) async throws -> HTTPServer.Response {
    try await found(id, "videos", parameters) {
      try $0.foundVideos(id, behind: $1, limit: $2)
    } write: {
      Self.write(videos: $0, to: &$1)
    }
  }

  func foundChannels(_ id: String, _ parameters: Parameters) async throws -> HTTPServer.Response {
    try await found(id, "channels", parameters) {
      try $0.foundChannels(id, behind: $1, limit: $2)
    } write: {
      Self.write(channels: $0, to: &$1)
    }
  }

  private func found<Row: Sendable>(
    _ id: String, _ kind: String, _ parameters: Parameters,
    read: @escaping @Sendable (CatalogReader, CatalogReader.FoundPlace?, Int) throws -> CatalogReader.Page<Row, CatalogReader.FoundPlace>,
    write: ([Row], inout JSONWriter) -> Void
  ) async throws -> HTTPServer.Response {
    let limit = try parameters.limit()
    let list = "found/\(kind)/\(id)"
    let cursor = try parameters.cursor(for: list)
    let page = try await store.read { reader in
      let place = cursor.map { CatalogReader.FoundPlace(position: $0.numbers.first ?? 0, id: $0.text) }
      let page = try read(reader, place, limit)
      // A search that has found nothing yet is one as well.
      if page.rows.isEmpty, try reader.request(id) == nil { throw Self.noRequest }
      return page
    }
    return .api { writer in
      write(page.rows, &writer)
      writer.member("next", page.next.map { Cursor($0.position, text: $0.id).encoded(for: list) })
    }
  }

  static func write(videos: [CatalogReader.StoredVideo], to writer: inout JSONWriter) {
    writer.member("videos", array: { writer in for video in videos { VideoView(video).writeSummary(to: &writer) } })
  }

  static func write(channels: [CatalogReader.StoredChannel], to writer: inout JSONWriter) {
    writer.member("channels", array: { writer in for channel in channels { ChannelView(channel).writeSummary(to: &writer) } })
  }
}
