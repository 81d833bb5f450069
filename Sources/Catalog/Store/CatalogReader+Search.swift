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

  enum Searched: String, Sendable {
    case videos, channels

    fileprivate var index: String { self == .videos ? "video_text" : "channel_text" }
    fileprivate var time: String {
      self == .videos ? "SELECT published FROM video WHERE n = ?" : "SELECT fetched FROM channel WHERE n = ?"
    }
  }

  func search(_ searched: Searched, _ query: TextQuery) throws -> Matches {
    guard let expression = query.expression, let titles = query.titleExpression else { return Matches(matches: [], isComplete: true) }
    let inTitle = try rows(searched, titles)
    var outside: [Int] = []
    if inTitle.count <= Self.mostMatches {
      let known = Set(inTitle)
      outside = try rows(searched, expression).filter { !known.contains($0) }
    }
    let isComplete = inTitle.count + outside.count <= Self.mostMatches
    let all = inTitle.map { ($0, false) } + outside.map { ($0, true) }
    let matches = try all.prefix(Self.mostMatches).compactMap { n, isOutside -> Match? in
      let time = try connection.query(searched.time, [.integer(n)]) { $0.int(0) ?? 0 }.first
      return time.map { Match(isOutsideTitle: isOutside, time: $0, n: n) }
    }
    return Matches(matches: matches.sorted(), isComplete: isComplete)
  }

  // The latest rows first: what has come last is likelier to be looked for.
  private func rows(_ searched: Searched, _ expression: String) throws -> [Int] {
    try connection.query(
      "SELECT rowid FROM \(searched.index) WHERE \(searched.index) MATCH ? ORDER BY rowid DESC LIMIT ?",
      [.text(expression), .integer(Self.mostMatches + 1)]
    ) { $0.int(0) ?? 0 }
  }
}
