import SQLite

extension CatalogReader {
  /// A video with its record and what is the catalogue's own.
  struct StoredVideo: Sendable {
    let n: Int
    let videoID: String
    let channel: Int?
    let published: Int
    let duration: Int
    let views: Int
    /// Milliseconds since 1970, as is the time of a like.
    let fetched: Int
    let liked: Int?
    let record: [UInt8]
  }

  /// So many rows are looked at for a page: where a filter lets few through, a page is shorter instead of late.
  private static let mostRowsPerPage = 4000

  func videos(
    _ selection: VideoSelection, behind place: VideoSelection.Place?, limit: Int, backwards: Bool = false
  ) throws -> Page<StoredVideo, VideoSelection.Place> {
    let (sql, values) = selection.statement(behind: place, backwards: backwards)
    let statement = try connection.prepare(sql)
    defer { statement.reset() }
    try statement.bind(values.map { .integer($0) })
    var numbers: [Int] = []
    var next: VideoSelection.Place?
    var last: VideoSelection.Place?
    var looked = 0
    while try statement.step() {
      guard numbers.count < limit, looked < Self.mostRowsPerPage else {
        next = last
        break
      }
      looked += 1
      let n = statement.int(0) ?? 0
      last = VideoSelection.Place(key: statement.int(1) ?? 0, n: n)
      if selection.admits(published: statement.int(2) ?? 0, duration: statement.int(3) ?? 0) { numbers.append(n) }
    }
    return Page(rows: try numbers.compactMap { try video(number: $0) }, next: next)
  }

  private static let columns = "v.n, v.video_id, v.channel, v.published, v.duration, v.views, v.fetched, l.liked, r.record"
  private static let tables = "video v JOIN video_record r ON r.n = v.n LEFT JOIN video_like l ON l.video_id = v.video_id"

  func video(number n: Int) throws -> StoredVideo? {
    try connection.query("SELECT \(Self.columns) FROM \(Self.tables) WHERE v.n = ?", [.integer(n)], Self.stored).first
  }

  func video(_ id: String) throws -> StoredVideo? {
    try connection.query("SELECT \(Self.columns) FROM \(Self.tables) WHERE v.video_id = ?", [.text(id)], Self.stored).first
  }

  private static func stored(_ row: Statement) -> StoredVideo {
    StoredVideo(
      n: row.int(0) ?? 0, videoID: row.text(1) ?? "", channel: row.int(2), published: row.int(3) ?? 0, duration: row.int(4) ?? 0,
      views: row.int(5) ?? 0, fetched: row.int(6) ?? 0, liked: row.int(7), record: row.blob(8) ?? [])
  }

  /// A place among what a search or a playlist has found.
  struct FoundPlace: Equatable, Sendable {
    var position: Int
    var id: String
  }

  /// What a search or a playlist has found and the catalogue still has, in its order.
  /// - Parameter onlyFirst: a video that a playlist has twice stands at its first place only.
  func foundVideos(
    _ request: String, behind place: FoundPlace?, limit: Int, backwards: Bool = false, onlyFirst: Bool = false
  ) throws -> Page<StoredVideo, FoundPlace> {
    let (sign, order) = backwards ? ("<", "DESC") : (">", "ASC")
    let first =
      onlyFirst
      ? "AND NOT EXISTS (SELECT 1 FROM found_video e WHERE e.request_id = f.request_id AND e.video_id = f.video_id AND e.position < f.position)"
      : ""
    let rows = try connection.query(
      """
      SELECT \(Self.columns), f.position FROM found_video f JOIN video v ON v.video_id = f.video_id JOIN video_record r ON r.n = v.n
      LEFT JOIN video_like l ON l.video_id = v.video_id
      WHERE f.request_id = ? AND (f.position, f.video_id) \(sign) (?, ?) \(first) ORDER BY f.position \(order), f.video_id \(order) LIMIT ?
      """,
      [
        .text(request), .integer(place?.position ?? (backwards ? Int.max : -1)), .text(place?.id ?? ""), .integer(limit + 1),
      ]
    ) { row in (Self.stored(row), row.int(9) ?? 0) }
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { FoundPlace(position: $0.1, id: $0.0.videoID) } : nil
    return Page(rows: page.map(\.0), next: next)
  }

  func position(of videoID: String, foundBy request: String) throws -> Int? {
    try connection.query(
      "SELECT position FROM found_video WHERE request_id = ? AND video_id = ? ORDER BY position LIMIT 1", [.text(request), .text(videoID)]
    ) { $0.int(0) ?? 0 }.first
  }
}
