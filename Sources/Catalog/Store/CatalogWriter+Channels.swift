import SQLite

extension CatalogWriter {
  /// Takes a channel's details over, unless newer ones are known or they are too old to be kept. Returns whether they were.
  @discardableResult
  mutating func put(_ channel: ChannelEntry) throws -> Bool {
    guard channel.fetched >= horizon else { return false }
    if let search = channel.search {
      try note(foundChannel: channel.channelID, in: search, position: Self.lastPlace, at: channel.fetched)
    }
    let n = try channelNumber(channel.channelID)
    let fetched = try connection.query("SELECT fetched FROM channel WHERE n = ?", [.integer(n)]) { $0.int(0) }.first ?? nil
    if let fetched, fetched > channel.fetched { return false }
    changes.records += 1
    if fetched == nil { count(.channels, 1) } else { try forgetChannelText(n) }
    try connection.run(
      "UPDATE channel SET title_key = ?, fetched = ? WHERE n = ?",
      [.text(channel.titleKey), .integer(channel.fetched), .integer(n)])
    try connection.run("INSERT OR REPLACE INTO channel_record (n, record) VALUES (?, ?)", [.integer(n), .blob(channel.record)])
    try connection.run(
      "INSERT INTO channel_text (rowid, title, description, handle) VALUES (?, ?, ?, ?)", [.integer(n)] + Self.words(channel.text))
    return true
  }

  /// A tombstone: the details leave; the row stays as long as videos of the channel are there.
  mutating func remove(channel id: String) throws {
    let found = try connection.query("SELECT n FROM channel WHERE channel_id = ? AND fetched IS NOT NULL", [.text(id)]) { $0.int(0) ?? 0 }
    guard let n = found.first else { return }
    changes.records += 1
    try removeDetails(n)
  }

  mutating func removeDetails(_ n: Int) throws {
    try forgetChannelText(n)
    try connection.run("DELETE FROM channel_record WHERE n = ?", [.integer(n)])
    try connection.run("UPDATE channel SET fetched = NULL, title_key = '' WHERE n = ?", [.integer(n)])
    // The sums of this transaction are not in the row yet, so the videos themselves are asked.
    let rows = try connection.run(
      "DELETE FROM channel WHERE n = ? AND NOT EXISTS (SELECT 1 FROM video WHERE channel = ?)", [.integer(n), .integer(n)])
    if rows > 0 { forget(channel: n) }
    count(.channels, -1)
  }

  // Until an event tells the place among the results.
  static let lastPlace = 1 << 40

  func note(foundChannel id: String, in search: String, position: Int, at time: Int) throws {
    try connection.run(
      """
      INSERT INTO found_channel (request_id, channel_id, position, noted) VALUES (?, ?, ?, ?)
      ON CONFLICT (request_id, channel_id) DO UPDATE SET position = min(position, excluded.position), noted = max(noted, excluded.noted)
      """, [.text(search), .text(id), .integer(position), .integer(time)])
  }

  private static func words(_ text: ChannelText) -> [SQLiteValue] {
    [text.title, text.description, text.handle].map { .text(SearchText.indexed($0)) }
  }

  private func forgetChannelText(_ n: Int) throws {
    let record = try connection.query("SELECT record FROM channel_record WHERE n = ?", [.integer(n)]) { $0.blob(0) ?? [] }.first
    guard let record else { return }
    try connection.run(
      "INSERT INTO channel_text (channel_text, rowid, title, description, handle) VALUES ('delete', ?, ?, ?, ?)",
      [.integer(n)] + Self.words(ChannelText(try RecordJSON.object(record))))
  }
}
