import Messages
import SQLite

/// Changes within one transaction. Sums are kept aside and written once, by `finish`.
struct CatalogWriter {
  let connection: Connection
  let now: Int
  let horizon: Int
  private var sums: [Int: ChannelSums] = [:]
  private var channelNumbers: [ExactText: Int] = [:]
  private var counters: [Counter: Int] = [:]
  /// What those who watch are told afterwards.
  var changes = CatalogChanges()

  enum Counter: String, CaseIterable { case videos, channels, liked }

  struct ChannelSums {
    var videos = 0
    var unavailable = 0
    var liked = 0
  }

  init(_ connection: Connection, now: Int, horizon: Int) {
    self.connection = connection
    self.now = now
    self.horizon = horizon
  }

  mutating func count(_ counter: Counter, _ difference: Int) { counters[counter, default: 0] += difference }

  mutating func sum(_ channel: Int?, videos: Int = 0, unavailable: Int = 0, liked: Int = 0) {
    guard let channel else { return }
    sums[channel, default: ChannelSums()].videos += videos
    sums[channel, default: ChannelSums()].unavailable += unavailable
    sums[channel, default: ChannelSums()].liked += liked
  }

  /// The channel's row, made when there is none.
  mutating func channelNumber(_ id: String) throws -> Int {
    if let known = channelNumbers[ExactText(id)] { return known }
    let found = try connection.query("SELECT n FROM channel WHERE channel_id = ?", [.text(id)]) { $0.int(0) ?? 0 }.first
    let number: Int
    if let found {
      number = found
    } else {
      try connection.run("INSERT INTO channel (channel_id) VALUES (?)", [.text(id)])
      number = connection.lastInsertedRowID
    }
    channelNumbers[ExactText(id)] = number
    return number
  }

  /// A channel's row is gone, with its sums: the next row made may get its number.
  mutating func forget(channel n: Int) {
    channelNumbers = [:]
    sums[n] = nil
  }

  func finish() throws {
    for (channel, sums) in sums {
      if sums.videos != 0 || sums.unavailable != 0 || sums.liked != 0 {
        try connection.run(
          "UPDATE channel SET videos = videos + ?, unavailable = unavailable + ?, liked = liked + ? WHERE n = ?",
          [.integer(sums.videos), .integer(sums.unavailable), .integer(sums.liked), .integer(channel)])
      }
      // A channel that is known by its videos only goes with the last of them, which may have come in this transaction, too.
      if sums.videos <= 0 { try connection.run("DELETE FROM channel WHERE n = ? AND videos <= 0 AND fetched IS NULL", [.integer(channel)]) }
    }
    for (counter, difference) in counters where difference != 0 {
      try connection.run(
        "INSERT INTO counter (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + ?2",
        [.text(counter.rawValue), .integer(difference)])
    }
  }

  /// The next offset to read of a partition. It is stored with the rows that come from what lies before it.
  func store(position next: Int64, _ cluster: String, _ topic: String, _ partition: Int32) throws {
    try connection.run(
      "INSERT OR REPLACE INTO log_position (cluster, topic, partition, next) VALUES (?, ?, ?, ?)",
      [.text(cluster), .text(topic), .integer(Int(partition)), .integer(Int(next))])
  }
}

/// What a transaction has changed, as far as somebody watches it.
struct CatalogChanges: Sendable {
  /// Ids of requests.
  var requests: Set<ExactText> = []
  /// Events as they came, the oldest first.
  var events: [[UInt8]] = []
  var records = 0
}
