import SQLite

extension CatalogWriter {
  /// Deletes some of what is too old. Returns whether there may be more: a transaction is kept short, so that records can come between.
  mutating func removeExpired(most: Int) throws -> Bool {
    let limit: [SQLiteValue] = [.integer(horizon), .integer(most)]
    let videos = try connection.query("SELECT \(VideoRow.columns) FROM video WHERE fetched < ? ORDER BY fetched LIMIT ?", limit) {
      VideoRow($0)
    }
    for video in videos { try remove(video) }
    let channels = try connection.query(
      "SELECT n FROM channel WHERE fetched IS NOT NULL AND fetched < ? ORDER BY fetched LIMIT ?", limit
    ) { $0.int(0) ?? 0 }
    for channel in channels { try removeDetails(channel) }
    let requests = try connection.query("SELECT n, request_id FROM request WHERE updated < ? ORDER BY updated LIMIT ?", limit) {
      ($0.int(0) ?? 0, $0.text(1) ?? "")
    }
    for (n, id) in requests {
      for table in ["request_page", "request_event"] { try connection.run("DELETE FROM \(table) WHERE request = ?", [.integer(n)]) }
      for table in ["found_video", "found_channel"] { try connection.run("DELETE FROM \(table) WHERE request_id = ?", [.text(id)]) }
      try connection.run("DELETE FROM request WHERE n = ?", [.integer(n)])
    }
    let letters = try connection.run("DELETE FROM dead_letter WHERE n IN (SELECT n FROM dead_letter WHERE received < ? LIMIT ?)", limit)
    let found = try removeFound(limit)
    changes.records += videos.count + channels.count
    return [videos.count, channels.count, requests.count, letters, found].contains { $0 >= most }
  }

  // Their request may never have become known, or have left before them.
  private func removeFound(_ limit: [SQLiteValue]) throws -> Int {
    try [("found_video", "request_id, position, video_id"), ("found_channel", "request_id, channel_id")].map { table, key in
      try connection.run("DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE noted < ? LIMIT ?)", limit)
    }.max() ?? 0
  }
}
