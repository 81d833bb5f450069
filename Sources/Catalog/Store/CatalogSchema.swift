import SQLite

/// The database's tables and indexes, version by version (`PRAGMA user_version`).
///
/// A video's row is narrow, so that lists read few pages; its record, as it came from the topic, lies in a table of its own. Sort keys are
/// never null, since the place behind a row is named by its key and its number.
enum CatalogSchema {
  /// "tlca": other programs' databases are not touched.
  static let applicationID = 0x746C_6361
  static var version: Int { migrations.count }

  /// What leads from each version to the next.
  static let migrations: [[String]] = [
    [tables, requestTables, textTables] + videoIndexes + channelIndexes, [timesOfFinds, countedSums], [searches],
    [comparedTexts, knownChannels],
  ]

  /// Brings a database of any earlier version to the present one; a newer one is refused.
  static func migrate(_ connection: Connection) throws {
    try connection.transaction { connection in
      try checkOwner(connection)
      let found = try connection.pragma("user_version")
      guard found <= version else { throw CatalogStoreError.newer(found: found, known: version) }
      for statements in migrations.dropFirst(found) { for statement in statements { try connection.execute(statement) } }
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }

  /// Throws unless it is a catalogue, or empty.
  static func checkOwner(_ connection: Connection) throws {
    let owner = try connection.pragma("application_id")
    if owner == applicationID { return }
    guard try owner == 0 && connection.pragma("user_version") == 0 && connection.isEmpty() else { throw CatalogStoreError.foreign }
  }

  private static let tables = """
    CREATE TABLE channel (
      n INTEGER PRIMARY KEY, channel_id TEXT NOT NULL UNIQUE, title_key TEXT NOT NULL DEFAULT '',
      -- null while only videos of the channel are known
      fetched INTEGER, videos INTEGER NOT NULL DEFAULT 0, unavailable INTEGER NOT NULL DEFAULT 0, liked INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE channel_record (n INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
    CREATE TABLE video (
      n INTEGER PRIMARY KEY, video_id TEXT NOT NULL UNIQUE, channel INTEGER, published INTEGER NOT NULL, duration INTEGER NOT NULL,
      views INTEGER NOT NULL, unavailable INTEGER NOT NULL, liked INTEGER NOT NULL, fetched INTEGER NOT NULL, text_hash INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE video_record (n INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
    -- Likes are people's, not YouTube's: they stay when a record is fetched again or leaves.
    CREATE TABLE video_like (video_id TEXT PRIMARY KEY, liked INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE log_position (
      cluster TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (cluster, topic, partition)
    ) STRICT, WITHOUT ROWID;
    """

  private static let requestTables = """
    CREATE TABLE request (
      n INTEGER PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, state TEXT NOT NULL, active INTEGER NOT NULL,
      begun INTEGER NOT NULL, updated INTEGER NOT NULL, ended INTEGER, cancel_requested INTEGER, reference TEXT, title TEXT,
      channel_id TEXT, playlist_id TEXT, channel_videos INTEGER, max_videos INTEGER, ends_early INTEGER NOT NULL DEFAULT 0,
      units INTEGER NOT NULL DEFAULT 0, total_pages INTEGER, total_items INTEGER, truncated_by TEXT, error_code TEXT, error_message TEXT
    ) STRICT;
    CREATE INDEX request_by_time ON request (begun);
    CREATE INDEX request_active ON request (begun) WHERE active = 1;
    CREATE INDEX request_ended ON request (begun) WHERE active = 0;
    CREATE INDEX request_by_channel ON request (channel_id, begun);
    CREATE INDEX request_by_update ON request (updated);
    CREATE TABLE request_page (
      request INTEGER NOT NULL, page INTEGER NOT NULL, records INTEGER NOT NULL, unavailable INTEGER NOT NULL, error_code TEXT,
      error_message TEXT, PRIMARY KEY (request, page)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE request_event (n INTEGER PRIMARY KEY, request INTEGER NOT NULL, event BLOB NOT NULL) STRICT;
    CREATE INDEX request_event_by_request ON request_event (request);
    -- What a search or a playlist found, by its place there.
    CREATE TABLE found_video (
      request_id TEXT NOT NULL, position INTEGER NOT NULL, video_id TEXT NOT NULL, PRIMARY KEY (request_id, position, video_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE found_channel (
      request_id TEXT NOT NULL, channel_id TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (request_id, channel_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX found_channel_by_position ON found_channel (request_id, position, channel_id);
    CREATE TABLE dead_letter (
      n INTEGER PRIMARY KEY, cluster TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, place INTEGER NOT NULL,
      stage TEXT NOT NULL, key TEXT, code TEXT, message TEXT, failed TEXT, origin TEXT, received INTEGER NOT NULL,
      UNIQUE (cluster, topic, partition, place)
    ) STRICT;
    CREATE INDEX dead_letter_by_stage ON dead_letter (stage);
    CREATE INDEX dead_letter_by_time ON dead_letter (received);
    """

  /// Texts are kept by the records; the index holds words only. What `SearchText` writes must stay the same within a version, since the
  /// index is told what to forget by the same text. Unfinished words are looked for in titles alone: without an index of beginnings, FTS5
  /// merges all words that begin so, and for descriptions such indexes would be larger than the records.
  private static let textTables = """
    CREATE VIRTUAL TABLE video_title USING fts5 (
      title, content = '', columnsize = 0, prefix = '2 3 4 5 6', tokenize = "unicode61 remove_diacritics 2");
    CREATE VIRTUAL TABLE video_text USING fts5 (
      title, description, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2");
    CREATE VIRTUAL TABLE channel_text USING fts5 (
      title, description, handle, content = '', columnsize = 0, prefix = '2 3 4', tokenize = "unicode61 remove_diacritics 2");
    """

  /// One index for each order of each list. Those of liked and of unavailable videos hold few rows, so all of them cost little.
  private static let videoIndexes: [String] =
    ["", "channel, "].flatMap { scope in
      ["published", "duration", "views"].flatMap { key in
        [("", ""), ("liked", " WHERE liked = 1"), ("unavailable", " WHERE unavailable = 1")].map { filter, condition in
          let name = ["video", scope.isEmpty ? "all" : "channel", key, filter].filter { !$0.isEmpty }.joined(separator: "_")
          return "CREATE INDEX \(name) ON video (\(scope)\(key))\(condition)"
        }
      }
    } + ["CREATE INDEX video_fetched ON video (fetched)"]

  /// What was found leaves at its own time, since its request may never become known. Rows whose time nothing tells leave at once.
  private static let timesOfFinds = """
    ALTER TABLE found_video ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
    UPDATE found_video SET noted = coalesce((SELECT fetched FROM video WHERE video.video_id = found_video.video_id), 0);
    CREATE INDEX found_video_by_time ON found_video (noted);
    ALTER TABLE found_channel ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
    UPDATE found_channel SET noted = coalesce(
      (SELECT fetched FROM channel WHERE channel.channel_id = found_channel.channel_id),
      (SELECT updated FROM request WHERE request.request_id = found_channel.request_id), 0);
    CREATE INDEX found_channel_by_time ON found_channel (noted);
    """

  /// Version 1 could add the sums of a channel that left to the next one.
  private static let countedSums = """
    UPDATE channel SET (videos, unavailable, liked) = (
      SELECT count(*), coalesce(sum(video.unavailable), 0), coalesce(sum(video.liked), 0) FROM video WHERE video.channel = channel.n);
    DELETE FROM channel WHERE videos = 0 AND fetched IS NULL;
    """

  /// Searches were counted among the units; what was counted so stays.
  private static let searches = "ALTER TABLE request ADD COLUMN searches INTEGER NOT NULL DEFAULT 0"

  /// Texts are compared, since their owner can give two of them one hash.
  private static let comparedTexts = "ALTER TABLE video DROP COLUMN text_hash"

  /// Earlier versions kept a channel whose only video came and went in one transaction.
  private static let knownChannels = """
    DELETE FROM channel WHERE fetched IS NULL AND NOT EXISTS (SELECT 1 FROM video WHERE video.channel = channel.n)
    """

  private static let channelIndexes = ["title_key", "fetched", "videos"].map { key in
    "CREATE INDEX channel_by_\(key) ON channel (\(key)) WHERE fetched IS NOT NULL"
  }
}

extension Connection {
  func pragma(_ name: String) throws -> Int { try query("PRAGMA \(name)") { $0.int(0) ?? 0 }.first ?? 0 }

  fileprivate func isEmpty() throws -> Bool { try query("SELECT 1 FROM sqlite_master LIMIT 1") { _ in true }.isEmpty }
}
