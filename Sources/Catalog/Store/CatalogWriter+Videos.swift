import SQLite

extension CatalogWriter {
  /// Takes a record over, unless a newer one is known or it is too old to be kept. Returns whether it was.
  @discardableResult
  mutating func put(_ video: VideoEntry) throws -> Bool {
    guard video.fetched >= horizon else { return false }
    if let found = video.found { try note(found: found, video.videoID, at: video.fetched) }
    let known = try row(video.videoID)
    if let known, known.fetched > video.fetched { return false }
    let channel = try video.channelID.map { try channelNumber($0) }
    changes.records += 1
    if let known { return try update(known, to: video, channel) }
    let isLiked = try !connection.query("SELECT 1 FROM video_like WHERE video_id = ?", [.text(video.videoID)]) { _ in true }.isEmpty
    try connection.run(
      """
      INSERT INTO video (video_id, channel, published, duration, views, unavailable, liked, fetched)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(video.videoID), SQLiteValue(channel), .integer(video.published), .integer(video.duration), .integer(video.views),
        .integer(video.isUnavailable ? 1 : 0), .integer(isLiked ? 1 : 0), .integer(video.fetched),
      ])
    let n = connection.lastInsertedRowID
    try connection.run("INSERT INTO video_record (n, record) VALUES (?, ?)", [.integer(n), .blob(video.record)])
    try index(video.text, n)
    sum(channel, videos: 1, unavailable: video.isUnavailable ? 1 : 0, liked: isLiked ? 1 : 0)
    count(.videos, 1)
    return true
  }

  private mutating func update(_ known: VideoRow, to video: VideoEntry, _ channel: Int?) throws -> Bool {
    if try text(known.n)?.isSame(as: video.text) != true {
      try forgetText(known.n)
      try index(video.text, known.n)
    }
    try connection.run(
      "UPDATE video SET channel = ?, published = ?, duration = ?, views = ?, unavailable = ?, fetched = ? WHERE n = ?",
      [
        SQLiteValue(channel), .integer(video.published), .integer(video.duration), .integer(video.views),
        .integer(video.isUnavailable ? 1 : 0), .integer(video.fetched), .integer(known.n),
      ])
    try connection.run("UPDATE video_record SET record = ? WHERE n = ?", [.blob(video.record), .integer(known.n)])
    sum(known.channel, videos: -1, unavailable: known.isUnavailable ? -1 : 0, liked: known.isLiked ? -1 : 0)
    sum(channel, videos: 1, unavailable: video.isUnavailable ? 1 : 0, liked: known.isLiked ? 1 : 0)
    return true
  }

  /// A tombstone: the video leaves, a like of it stays.
  mutating func remove(video id: String) throws {
    guard let known = try row(id) else { return }
    changes.records += 1
    try remove(known)
  }

  mutating func remove(_ known: VideoRow) throws {
    try forgetText(known.n)
    try connection.run("DELETE FROM video_record WHERE n = ?", [.integer(known.n)])
    try connection.run("DELETE FROM video WHERE n = ?", [.integer(known.n)])
    sum(known.channel, videos: -1, unavailable: known.isUnavailable ? -1 : 0, liked: known.isLiked ? -1 : 0)
    count(.videos, -1)
  }

  /// Likes, or takes it back. nil when the video is neither known nor liked; otherwise since when it is liked.
  mutating func setLike(_ id: String, _ isLiked: Bool) throws -> Int?? {
    let known = try row(id)
    let since = try connection.query("SELECT liked FROM video_like WHERE video_id = ?", [.text(id)]) { $0.int(0) ?? 0 }.first
    guard known != nil || (since != nil && !isLiked) else { return .none }
    guard (since != nil) != isLiked else { return .some(since) }
    let change = isLiked ? 1 : -1
    if isLiked {
      try connection.run("INSERT INTO video_like (video_id, liked) VALUES (?, ?)", [.text(id), .integer(now)])
    } else {
      try connection.run("DELETE FROM video_like WHERE video_id = ?", [.text(id)])
    }
    count(.liked, change)
    if let known {
      try connection.run("UPDATE video SET liked = ? WHERE n = ?", [.integer(isLiked ? 1 : 0), .integer(known.n)])
      sum(known.channel, liked: change)
    }
    return .some(isLiked ? now : nil)
  }

  /// A video's row, as far as changes need it.
  struct VideoRow {
    let n: Int
    let channel: Int?
    let isUnavailable: Bool
    let isLiked: Bool
    let fetched: Int

    static let columns = "n, channel, unavailable, liked, fetched"

    init(_ row: Statement) {
      n = row.int(0) ?? 0
      channel = row.int(1)
      isUnavailable = row.int(2) == 1
      isLiked = row.int(3) == 1
      fetched = row.int(4) ?? 0
    }
  }

  private func row(_ id: String) throws -> VideoRow? {
    try connection.query("SELECT \(VideoRow.columns) FROM video WHERE video_id = ?", [.text(id)]) { VideoRow($0) }.first
  }

  private func index(_ text: VideoText, _ n: Int) throws {
    guard !text.isEmpty else { return }
    let (title, description) = (SearchText.indexed(text.title), SearchText.indexed(text.description))
    try connection.run("INSERT INTO video_title (rowid, title) VALUES (?, ?)", [.integer(n), .text(title)])
    try connection.run(
      "INSERT INTO video_text (rowid, title, description) VALUES (?, ?, ?)", [.integer(n), .text(title), .text(description)])
  }

  /// The words that are stored.
  private func text(_ n: Int) throws -> VideoText? {
    let record = try connection.query("SELECT record FROM video_record WHERE n = ?", [.integer(n)]) { $0.blob(0) ?? [] }.first
    return try record.map { VideoText(try RecordJSON.object($0)) }
  }

  // An index without content is told what to forget.
  private func forgetText(_ n: Int) throws {
    guard let text = try text(n), !text.isEmpty else { return }
    let (title, description) = (SearchText.indexed(text.title), SearchText.indexed(text.description))
    try connection.run("INSERT INTO video_title (video_title, rowid, title) VALUES ('delete', ?, ?)", [.integer(n), .text(title)])
    try connection.run(
      "INSERT INTO video_text (video_text, rowid, title, description) VALUES ('delete', ?, ?, ?)",
      [.integer(n), .text(title), .text(description)])
  }

  private func note(found: (requestID: String, position: Int?, offset: Int), _ videoID: String, at time: Int) throws {
    // A record that tells no place stands where its message did first.
    let place = try found.position ?? CatalogReader(connection).position(of: videoID, foundBy: found.requestID) ?? found.offset
    try connection.run(
      """
      INSERT INTO found_video (request_id, position, video_id, noted) VALUES (?, ?, ?, ?)
      ON CONFLICT (request_id, position, video_id) DO UPDATE SET noted = excluded.noted WHERE excluded.noted > noted
      """, [.text(found.requestID), .integer(place), .text(videoID), .integer(time)])
  }
}
