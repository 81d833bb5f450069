import SQLite

extension CatalogReader {
  /// A place among the results of a search: those with a match in the title come first, then the newest.
  struct Match: Comparable, Sendable {
    let isOutsideTitle: Bool
    /// The date of publication, or of the last fetch.
    let time: Int
    let n: Int

    static func < (left: Match, right: Match) -> Bool {
      if left.isOutsideTitle != right.isOutsideTitle { return right.isOutsideTitle }
      return (left.time, left.n) > (right.time, right.n)
    }
  }

  struct Matches: Sendable {
    /// In order.
    var matches: [Match]
    /// False when there are more than were looked at.
    var isComplete: Bool
  }

  /// So many matches are put in order. Ranking all matches of a frequent word would take as long as there are videos.
  static let mostMatches = 1000

  enum Searched: String, Sendable { case videos, channels }

  func search(_ searched: Searched, _ query: TextQuery) throws -> Matches {
    guard let expression = query.expression, let whole = query.wholeExpression, let titles = query.titleExpression else {
      return Matches(matches: [], isComplete: true)
    }
    var matches: [Match]
    var outside: [Match] = []
    switch searched {
    case .videos:
      matches = try rows("video_title", expression, "video", "published", isOutsideTitle: false)
      if matches.count <= Self.mostMatches { outside = try rows("video_text", whole, "video", "published", isOutsideTitle: true) }
    case .channels:
      matches = try rows("channel_text", titles, "channel", "fetched", isOutsideTitle: false)
      if matches.count <= Self.mostMatches { outside = try rows("channel_text", expression, "channel", "fetched", isOutsideTitle: true) }
    }
    let known = Set(matches.map(\.n))
    matches += outside.filter { !known.contains($0.n) }
    return Matches(matches: matches.prefix(Self.mostMatches).sorted(), isComplete: matches.count <= Self.mostMatches)
  }

  // The latest rows first: what has come last is likelier to be looked for.
  private func rows(_ index: String, _ expression: String, _ table: String, _ time: String, isOutsideTitle: Bool) throws -> [Match] {
    try connection.query(
      """
      SELECT t.n, t.\(time) FROM \(index) CROSS JOIN \(table) t ON t.n = \(index).rowid WHERE \(index) MATCH ? ORDER BY \(index).rowid DESC LIMIT ?
      """, [.text(expression), .integer(Self.mostMatches + 1)]
    ) { Match(isOutsideTitle: isOutsideTitle, time: $0.int(1) ?? 0, n: $0.int(0) ?? 0) }
  }
}
