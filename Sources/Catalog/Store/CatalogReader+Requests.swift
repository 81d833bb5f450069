import SQLite

extension CatalogReader {
  /// A request with the sums of its pages.
  struct StoredRequest: Sendable {
    let n: Int
    let id: String
    let kind: String
    let state: String
    let isActive: Bool
    let begun: Int
    let updated: Int
    let ended: Int?
    let cancelRequested: Int?
    let reference: String?
    let title: String?
    let channelID: String?
    let playlistID: String?
    let channelVideos: Int?
    let maxVideos: Int?
    let endsEarly: Bool
    let units: Int
    let totalPages: Int?
    let totalItems: Int?
    let truncatedBy: String?
    let errorCode: String?
    let errorMessage: String?
    let searches: Int
    var pages = 0
    var items = 0
    var unavailable = 0
    var failedPages = 0
  }

  enum RequestFilter: String, CaseIterable, Sendable { case all, active, ended }

  private static let columns = """
    n, request_id, kind, state, active, begun, updated, ended, cancel_requested, reference, title, channel_id, playlist_id, channel_videos,
    max_videos, ends_early, units, total_pages, total_items, truncated_by, error_code, error_message, searches
    """

  /// Newest first.
  func requests(_ filter: RequestFilter, behind place: VideoSelection.Place?, limit: Int) throws -> Page<
    StoredRequest, VideoSelection.Place
  > {
    var conditions: [String] = []
    if filter != .all { conditions.append("active = \(filter == .active ? 1 : 0)") }
    if place != nil { conditions.append("(begun, n) < (?, ?)") }
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let values = (place.map { [$0.key, $0.n] } ?? []) + [limit + 1]
    let rows = try connection.query(
      "SELECT \(Self.columns) FROM request \(condition) ORDER BY begun DESC, n DESC LIMIT ?", values.map { .integer($0) }, Self.stored)
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { VideoSelection.Place(key: $0.begun, n: $0.n) } : nil
    return Page(rows: try page.map(summed), next: next)
  }

  func request(_ id: String) throws -> StoredRequest? {
    try connection.query("SELECT \(Self.columns) FROM request WHERE request_id = ?", [.text(id)], Self.stored).first.map(summed)
  }

  func newestRequest(ofChannel id: String) throws -> StoredRequest? {
    try connection.query(
      "SELECT \(Self.columns) FROM request WHERE channel_id = ? ORDER BY begun DESC LIMIT 1", [.text(id)], Self.stored
    ).first.map(summed)
  }

  /// Newest first.
  func events(of request: Int, limit: Int) throws -> [[UInt8]] {
    try connection.query(
      "SELECT event FROM request_event WHERE request = ? ORDER BY n DESC LIMIT ?", [.integer(request), .integer(limit)]
    ) { $0.blob(0) ?? [] }
  }

  func events(limit: Int) throws -> [[UInt8]] {
    try connection.query("SELECT event FROM request_event ORDER BY n DESC LIMIT ?", [.integer(limit)]) { $0.blob(0) ?? [] }
  }

  func pageFailures(of request: Int) throws -> [(page: Int, code: String, message: String)] {
    try connection.query(
      "SELECT page, error_code, error_message FROM request_page WHERE request = ? AND error_code IS NOT NULL ORDER BY page LIMIT 500",
      [.integer(request)]
    ) { ($0.int(0) ?? 0, $0.text(1) ?? "", $0.text(2) ?? "") }
  }

  private func summed(_ request: StoredRequest) throws -> StoredRequest {
    var request = request
    let sums = try connection.query(
      """
      SELECT count(*), CAST(total(records) AS INTEGER), CAST(total(unavailable) AS INTEGER), count(error_code)
      FROM request_page WHERE request = ?
      """, [.integer(request.n)]
    ) { ($0.int(0) ?? 0, $0.int(1) ?? 0, $0.int(2) ?? 0, $0.int(3) ?? 0) }
    guard let (count, items, unavailable, failed) = sums.first else { return request }
    request.pages = count - failed
    request.items = items
    request.unavailable = unavailable
    request.failedPages = failed
    return request
  }

  private static func stored(_ row: Statement) -> StoredRequest {
    StoredRequest(
      n: row.int(0) ?? 0, id: row.text(1) ?? "", kind: row.text(2) ?? "", state: row.text(3) ?? "", isActive: row.int(4) == 1,
      begun: row.int(5) ?? 0, updated: row.int(6) ?? 0, ended: row.int(7), cancelRequested: row.int(8), reference: row.text(9),
      title: row.text(10), channelID: row.text(11), playlistID: row.text(12), channelVideos: row.int(13), maxVideos: row.int(14),
      endsEarly: row.int(15) == 1, units: row.int(16) ?? 0, totalPages: row.int(17), totalItems: row.int(18), truncatedBy: row.text(19),
      errorCode: row.text(20), errorMessage: row.text(21), searches: row.int(22) ?? 0)
  }
}

extension CatalogReader {
  /// A dead letter that nobody has settled.
  struct StoredLetter: Sendable {
    let stage: String
    let partition: Int
    let offset: Int
    let key: String?
    let code: String?
    let message: String?
    let failed: String?
    let origin: String?
  }

  /// Newest first.
  func deadLetters(limit: Int) throws -> [StoredLetter] {
    try connection.query(
      "SELECT stage, partition, place, key, code, message, failed, origin FROM dead_letter ORDER BY received DESC, n DESC LIMIT ?",
      [.integer(limit)]
    ) { row in
      StoredLetter(
        stage: row.text(0) ?? "", partition: row.int(1) ?? 0, offset: row.int(2) ?? 0, key: row.text(3), code: row.text(4),
        message: row.text(5), failed: row.text(6), origin: row.text(7))
    }
  }

  func deadLetterCounts() throws -> [String: Int] {
    Dictionary(
      try connection.query("SELECT stage, count(*) FROM dead_letter GROUP BY stage") { ($0.text(0) ?? "", $0.int(1) ?? 0) },
      uniquingKeysWith: +)
  }
}
