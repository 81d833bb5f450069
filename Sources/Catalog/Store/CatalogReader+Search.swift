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

  /// How far an index is read for one search, in instructions of SQLite: some thousandths of a second. Words that few rows have take a
  /// small part of it. What frequent words have in common, such as a phrase of them, may lie further away than it reaches; a catalogue of
  /// a hundred thousand videos is read to its end even then.
  struct Reach: Sendable {
    var titles = 2400
    var texts = 700
  }

  enum Searched: String, Sendable { case videos, channels }

  func search(_ searched: Searched, _ query: TextQuery, reach: Reach = Reach()) throws -> Matches {
    guard let expression = query.expression, let whole = query.wholeExpression, let titles = query.titleExpression else {
      return Matches(matches: [], isComplete: true)
    }
    let inTitles: Rows
    var outside = Rows(rows: [], isWhole: true)
    switch searched {
    case .videos:
      inTitles = try rows("video_title", expression, "video", "published", isOutsideTitle: false, reach.titles)
      if inTitles.isWithinMost { outside = try rows("video_text", whole, "video", "published", isOutsideTitle: true, reach.texts) }
    case .channels:
      inTitles = try rows("channel_text", titles, "channel", "fetched", isOutsideTitle: false, reach.titles)
      if inTitles.isWithinMost { outside = try rows("channel_text", expression, "channel", "fetched", isOutsideTitle: true, reach.texts) }
    }
    let known = Set(inTitles.rows.map(\.n))
    let matches = inTitles.rows + outside.rows.filter { !known.contains($0.n) }
    return Matches(
      matches: matches.prefix(Self.mostMatches).sorted(),
      isComplete: matches.count <= Self.mostMatches && inTitles.isWhole && outside.isWhole)
  }

  private struct Rows {
    let rows: [Match]
    /// False when the search ended before the index did.
    let isWhole: Bool
    var isWithinMost: Bool { rows.count <= CatalogReader.mostMatches }
  }

  // The latest rows first: what has come last is likelier to be looked for.
  private func rows(
    _ index: String, _ expression: String, _ table: String, _ time: String, isOutsideTitle: Bool, _ reach: Int
  ) throws -> Rows {
    let (rows, isWhole) = try connection.query(
      """
      SELECT t.n, t.\(time) FROM \(index) CROSS JOIN \(table) t ON t.n = \(index).rowid WHERE \(index) MATCH ? ORDER BY \(index).rowid DESC LIMIT ?
      """, [.text(expression), .integer(Self.mostMatches + 1)], mostInstructions: reach
    ) { Match(isOutsideTitle: isOutsideTitle, time: $0.int(1) ?? 0, n: $0.int(0) ?? 0) }
    return Rows(rows: rows, isWhole: isWhole)
  }
}
