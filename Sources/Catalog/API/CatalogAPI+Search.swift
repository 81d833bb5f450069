import HTTPServer
import JSON

extension CatalogAPI {
  /// One page of the results of a search.
  struct Found<Row: Sendable>: Sendable {
    let query: TextQuery
    let count: Int
    let isComplete: Bool
    let rows: [Row]
    let next: String?
  }

  func search(_ parameters: Parameters) async throws -> HTTPServer.Response {
    guard let text = try parameters.text("q", most: 500) else {
      throw Problem(.badRequest, "q is missing: the words to look for.", field: "q")
    }
    let limit = try parameters.limit()
    enum Kind: String, CaseIterable { case channels, videos }
    switch try parameters.word("type", default: Kind.videos) {
    case .videos:
      let found = try await found(.videos, text, parameters, limit) { try $0.video(number: $1) }
      return Self.answer(found, type: Kind.videos.rawValue) { Self.write(videos: $0, to: &$1) }
    case .channels:
      let found = try await found(.channels, text, parameters, limit) { try $0.channel(number: $1) }
      return Self.answer(found, type: Kind.channels.rawValue) { Self.write(channels: $0, to: &$1) }
    }
  }

  private static func answer<Row>(_ found: Found<Row>, type: String, _ write: ([Row], inout JSONWriter) -> Void) -> HTTPServer.Response {
    .api { writer in
      writer.member("type", type)
      writer.member("query", found.query.terms.joined(separator: " "))
      writer.member("matches", found.count)
      writer.member("complete", found.isComplete)
      write(found.rows, &writer)
      writer.member("next", found.next)
    }
  }

  func found<Row: Sendable>(
    _ searched: CatalogReader.Searched, _ text: String, _ parameters: Parameters, _ limit: Int,
    row: @escaping @Sendable (CatalogReader, Int) throws -> Row?
  ) async throws -> Found<Row> {
    let query = TextQuery(text)
    let list = "search/\(searched.rawValue)/\(query.expression ?? "")"
    let cursor = try parameters.cursor(for: list)
    return try await store.read { reader in
      let matches = try reader.search(searched, query)
      var rest = matches.matches[...]
      if let cursor, cursor.numbers.count == 3 {
        let place = CatalogReader.Match(isOutsideTitle: cursor.numbers[0] == 1, time: cursor.numbers[1], n: cursor.numbers[2])
        rest = rest.drop { $0 <= place }
      }
      let page = rest.prefix(limit)
      let next = rest.count > limit ? page.last.map { Cursor($0.isOutsideTitle ? 1 : 0, $0.time, $0.n).encoded(for: list) } : nil
      return Found(
        query: query, count: matches.matches.count, isComplete: matches.isComplete, rows: try page.compactMap { try row(reader, $0.n) },
        next: next)
    }
  }
}
