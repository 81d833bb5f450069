import SQLite

extension CatalogReader {
  /// A channel with its record, where details of it are known.
  struct StoredChannel: Sendable {
    let n: Int
    let channelID: String
    let titleKey: String
    /// Milliseconds since 1970.
    let fetched: Int?
    let videos: Int
    let unavailable: Int
    let liked: Int
    let record: [UInt8]?
  }

  enum ChannelSort: String, CaseIterable, Sendable { case title, fetched, videos }

  /// A place among channels: a title, or a number, and the row.
  struct ChannelPlace: Equatable, Sendable {
    var title = ""
    var key = 0
    var n: Int
  }

  private static let columns = "c.n, c.channel_id, c.title_key, c.fetched, c.videos, c.unavailable, c.liked, r.record"
  private static let tables = "channel c LEFT JOIN channel_record r ON r.n = c.n"

  func channels(_ sort: ChannelSort, behind place: ChannelPlace?, limit: Int) throws -> Page<StoredChannel, ChannelPlace> {
    let (column, sign, order) =
      switch sort {
      case .title: ("title_key", ">", "ASC")
      case .fetched: ("fetched", "<", "DESC")
      case .videos: ("videos", "<", "DESC")
      }
    var values: [SQLiteValue] = []
    var condition = ""
    if let place {
      condition = "AND (c.\(column), c.n) \(sign) (?, ?)"
      values = [sort == .title ? .text(place.title) : .integer(place.key), .integer(place.n)]
    }
    let rows = try connection.query(
      """
      SELECT \(Self.columns) FROM \(Self.tables) WHERE c.fetched IS NOT NULL \(condition)
      ORDER BY c.\(column) \(order), c.n \(order) LIMIT ?
      """, values + [.integer(limit + 1)], Self.stored)
    let page = rows.prefix(limit)
    let next = page.last.map {
      ChannelPlace(title: sort == .title ? $0.titleKey : "", key: sort == .fetched ? $0.fetched ?? 0 : $0.videos, n: $0.n)
    }
    return Page(rows: Array(page), next: rows.count > limit ? next : nil)
  }

  func channel(_ id: String) throws -> StoredChannel? {
    try connection.query("SELECT \(Self.columns) FROM \(Self.tables) WHERE c.channel_id = ?", [.text(id)], Self.stored).first
  }

  func channel(number n: Int) throws -> StoredChannel? {
    try connection.query("SELECT \(Self.columns) FROM \(Self.tables) WHERE c.n = ?", [.integer(n)], Self.stored).first
  }

  /// What a search has found and the catalogue has.
  func foundChannels(_ request: String, behind place: FoundPlace?, limit: Int) throws -> Page<StoredChannel, FoundPlace> {
    let rows = try connection.query(
      """
      SELECT \(Self.columns), f.position FROM found_channel f JOIN channel c ON c.channel_id = f.channel_id
      LEFT JOIN channel_record r ON r.n = c.n
      WHERE f.request_id = ? AND (f.position, f.channel_id) > (?, ?) ORDER BY f.position, f.channel_id LIMIT ?
      """, [.text(request), .integer(place?.position ?? -1), .text(place?.id ?? ""), .integer(limit + 1)]
    ) { row in (Self.stored(row), row.int(8) ?? 0) }
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { FoundPlace(position: $0.1, id: $0.0.channelID) } : nil
    return Page(rows: page.map(\.0), next: next)
  }

  private static func stored(_ row: Statement) -> StoredChannel {
    StoredChannel(
      n: row.int(0) ?? 0, channelID: row.text(1) ?? "", titleKey: row.text(2) ?? "", fetched: row.int(3), videos: max(0, row.int(4) ?? 0),
      unavailable: max(0, row.int(5) ?? 0), liked: max(0, row.int(6) ?? 0), record: row.blob(7))
  }
}
