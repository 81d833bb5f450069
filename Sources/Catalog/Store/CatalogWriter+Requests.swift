import Messages
import SQLite

extension CatalogWriter {
  /// A request's own message, read from its topic or just published.
  mutating func put(_ request: RequestEntry) throws {
    let begun = request.begun ?? now
    guard begun >= horizon else { return }
    try connection.run(
      """
      INSERT INTO request (request_id, kind, state, active, begun, updated, reference, max_videos, ends_early)
      VALUES (?1, ?2, 'waiting', 1, ?3, ?3, ?4, ?5, ?6)
      ON CONFLICT (request_id) DO UPDATE SET kind = ?2, begun = min(begun, ?3), reference = coalesce(reference, ?4), max_videos = ?5,
        ends_early = ?6
      """,
      [
        .text(request.id), .text(request.kind.rawValue), .integer(begun), SQLiteValue(request.reference), SQLiteValue(request.maxVideos),
        .integer(request.endsEarly ? 1 : 0),
      ])
    changes.requests.insert(ExactText(request.id))
  }

  /// An event of a request, which makes the request known if nothing else has.
  mutating func put(_ entry: EventEntry) throws {
    guard entry.at >= horizon else { return }
    let event = entry.event
    let n = try requestNumber(event, at: entry.at)
    try connection.run("INSERT INTO request_event (request, event) VALUES (?, ?)", [.integer(n), .blob(entry.record)])
    try connection.run(
      """
      UPDATE request SET updated = max(updated, ?2), begun = min(begun, ?2), reference = coalesce(?3, reference), title = coalesce(?4, title),
        channel_id = coalesce(?5, channel_id), playlist_id = coalesce(?6, playlist_id), channel_videos = coalesce(?7, channel_videos),
        units = max(units, ?8), searches = max(searches, ?9) WHERE n = ?1
      """,
      [
        .integer(n), .integer(entry.at), SQLiteValue(event.reference.map { String($0.prefix(RequestEntry.longestReference)) }),
        SQLiteValue(event.title), SQLiteValue(event.channelID), SQLiteValue(event.playlistID), SQLiteValue(event.videoCount),
        .integer(event.totals?.units ?? 0), .integer(event.totals?.searches ?? 0),
      ])
    for (id, position) in entry.channels { try note(foundChannel: id, in: event.requestID, position: position, at: entry.at) }
    switch event.kind {
    case .resolved: try begin(n)
    case .page:
      try connection.run(
        "INSERT OR REPLACE INTO request_page (request, page, records, unavailable) VALUES (?, ?, ?, ?)",
        [.integer(n), .integer(event.pageNumber ?? 1), .integer(event.records ?? 0), .integer(event.unavailable ?? 0)])
      try begin(n)
    case .pageFailed:
      try connection.run(
        """
        INSERT OR IGNORE INTO request_page (request, page, records, unavailable, error_code, error_message) VALUES (?, ?, 0, 0, ?, ?)
        """,
        [.integer(n), .integer(event.pageNumber ?? 1), .text(event.error?.code ?? ""), .text(event.error?.message ?? "")])
      try begin(n)
    case .completed, .notFound, .failed, .cancelled, .expired, .rejected: try end(n, entry)
    }
    changes.requests.insert(ExactText(event.requestID))
    changes.events.append(entry.record)
  }

  /// The order to cancel was published.
  mutating func noteCancellation(_ id: String) throws {
    try connection.run(
      "UPDATE request SET cancel_requested = ?, updated = ? WHERE request_id = ?", [.integer(now), .integer(now), .text(id)])
    changes.requests.insert(ExactText(id))
  }

  private func requestNumber(_ event: RequestEvent, at time: Int) throws -> Int {
    let found = try connection.query("SELECT n FROM request WHERE request_id = ?", [.text(event.requestID)]) { $0.int(0) ?? 0 }
    if let n = found.first { return n }
    let kind = event.stage == .search ? RequestEntry.Kind.search : .channel
    try connection.run(
      "INSERT INTO request (request_id, kind, state, active, begun, updated) VALUES (?, ?, 'waiting', 1, ?, ?)",
      [.text(event.requestID), .text(kind.rawValue), .integer(time), .integer(time)])
    return connection.lastInsertedRowID
  }

  // A page that was under way when the request ended says nothing about its end.
  private func begin(_ n: Int) throws {
    try connection.run("UPDATE request SET state = 'running' WHERE n = ? AND state = 'waiting'", [.integer(n)])
  }

  private func end(_ n: Int, _ entry: EventEntry) throws {
    let event = entry.event
    try connection.run(
      """
      UPDATE request SET state = ?2, active = 0, ended = ?3, total_pages = ?4, total_items = ?5, truncated_by = ?6, error_code = ?7,
        error_message = ?8 WHERE n = ?1
      """,
      [
        .integer(n), .text(event.kind.rawValue), .integer(entry.at), SQLiteValue(event.totals?.pages), SQLiteValue(event.totals?.items),
        SQLiteValue(event.truncatedBy?.rawValue), SQLiteValue(event.error?.code), SQLiteValue(event.error?.message),
      ])
  }

  /// A dead letter, or the mark that one is done with.
  mutating func put(_ entry: LetterEntry, _ cluster: String, _ topic: String, _ partition: Int32) throws {
    switch entry {
    case .letter(let letter):
      guard letter.received >= horizon else { return }
      try connection.run(
        """
        INSERT OR IGNORE INTO dead_letter (cluster, topic, partition, place, stage, key, code, message, failed, origin, received)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(cluster), .text(topic), .integer(Int(partition)), .integer(letter.place), .text(letter.stage.rawValue),
          SQLiteValue(letter.key), SQLiteValue(letter.code), SQLiteValue(letter.message), SQLiteValue(letter.failed),
          SQLiteValue(letter.origin), .integer(letter.received),
        ])
    case .settled(let place):
      try connection.run(
        "DELETE FROM dead_letter WHERE cluster = ? AND topic = ? AND partition = ? AND place = ?",
        [.text(cluster), .text(topic), .integer(Int(partition)), .integer(place)])
    }
  }
}
