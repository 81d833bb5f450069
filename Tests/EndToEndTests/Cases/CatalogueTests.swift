import FoundationEssentials
import Glibc
import JSON
import Kafka
import Messages
import SQLite
import Telemetry
import Testing

extension EndToEndTests {
  /// tubeline-catalog, from outside.
  @Suite(.serialized, .timeLimit(.minutes(5)))
  struct CatalogueTests {
    private static let records = 50_000
    private static let videos = 12_000

    @Test(.world())
    func killedAtRandomItHasExactlyTheTopicsLastRecords() async throws {
      let world = try World.current
      let catalogue = RestartedCatalogue(world)
      let killing = Task { try await catalogue.dieAndComeBack() }
      var random = SystemRandomNumberGenerator()
      var last: [String: [UInt8]?] = [:]
      let start = Date()
      for first in stride(from: 0, to: Self.records, by: 500) {
        var batch: [ProducerRecord] = []
        for number in first..<first + 500 {
          let id = "v\(Int.random(in: 0..<Self.videos, using: &random))"
          // Tombstones, and records that nobody can read, lie between the others.
          let value = number % 17 == 0 ? nil : Self.record(id, number, at: start.addingTimeInterval(Double(number) / 1000))
          last[id] = .some(value)
          batch.append(ProducerRecord(topic: world.prefix + "video-records", key: Array(id.utf8), value: value))
          if number % 1000 == 0 { batch.append(ProducerRecord(topic: world.prefix + "video-records", key: [0x78], value: Array("{".utf8))) }
        }
        try await world.producer.send(batch)
      }
      let expected = last.compactMapValues { $0 }
      try await catalogue.waitUntil { $0 == expected.count }
      killing.cancel()
      let kills = try await killing.value
      print("the catalogue was killed \(kills) times")
      #expect(kills >= 3)
      // Another start changes nothing, and the counts that it keeps are those of the rows.
      try await catalogue.restart()
      try await catalogue.waitUntil { $0 == expected.count }
      let numbers = try JSONTree.parse(try await HTTP.send("GET", catalogue.address.read { $0 } + "/api/catalogue").body)
      #expect(numbers["videos"]?.int == expected.count)
      try await catalogue.stop()
      #expect(try catalogue.rows() == expected)
    }

    private static func record(_ id: String, _ number: Int, at time: Date) -> [UInt8] {
      var record = VideoRecord(
        videoID: id, availability: number % 9 == 0 ? .private : .public, source: .uploads, requestID: "r",
        fetchedAt: Timestamp.rfc3339(time))
      record.title = "Video \(number)"
      record.channelID = "UC\(number % 7)"
      return record.bytes
    }

    @Test(.world(.init(workers: 1)))
    func aChannelComesAndIsSeenLikedAndSearched() async throws {
      let world = try World.current
      let catalogue = RestartedCatalogue(world)
      try await catalogue.restart()
      let address = catalogue.address.read { $0 }
      let truth = try await world.stub.truth("@Google")
      let created = try await HTTP.json("POST", address + "/api/requests", ["channel": "@Google", "requestId": "mine"])
      #expect(created.status == 202, "\(created.body)")
      _ = try await world.ending("mine")
      try await catalogue.waitUntil { $0 == truth.listed }
      let channel = try await HTTP.json("GET", address + "/api/channels/\(truth.channelID)")
      #expect(channel.body["videos"]?.int == truth.listed && channel.body["request"]?["state"] == "completed", "\(channel.body)")
      var ids: Set<String> = []
      var target = "/api/channels/\(truth.channelID)/videos?limit=100"
      while true {
        let page = try await HTTP.json("GET", address + target)
        for video in page.body["videos"]?.elements ?? [] { if let id = video["id"]?.string { ids.insert(id) } }
        guard let next = page.body["next"]?.string else { break }
        target = "/api/channels/\(truth.channelID)/videos?limit=100&cursor=\(next)"
      }
      #expect(ids.count == truth.listed)
      let first = try #require(ids.sorted().first)
      #expect(try await HTTP.json("PUT", address + "/api/videos/\(first)/like").status == 200)
      let liked = try await HTTP.json("GET", address + "/api/channels/\(truth.channelID)/videos?filter=liked")
      #expect(liked.body["videos"]?.elements?.compactMap { $0["id"]?.string } == [first])
      let found = try await HTTP.json("GET", address + "/api/channels?q=goog")
      #expect(found.body["channels"]?.elements?.first?["id"]?.string == truth.channelID)
      #expect(try await HTTP.json("GET", address + "/api/quota").body["buckets"]?.elements?.isEmpty == false)
      #expect(try await HTTP.json("GET", address + "/api/pipeline").status == 200)
      #expect(try await HTTP.send("GET", address + "/").text.contains("<html"))
      try await catalogue.stop()
    }
  }
}

extension HTTP {
  fileprivate static func json(_ method: String, _ address: String, _ body: JSONTree? = nil) async throws -> (status: Int, body: JSONTree) {
    let answer = try await send(method, address, body, type: "application/json")
    return (answer.status, try JSONTree.parse(answer.body))
  }
}

/// A catalogue that is killed and started again, always on the same file.
private final class RestartedCatalogue: Sendable {
  let address = Monitor("")
  private let world: World
  private let process = Monitor<StartedProgram?>(nil)

  init(_ world: World) { self.world = world }

  private var file: String { world.folder + "/catalog.db" }

  func restart() async throws {
    // The next one is refused as long as this one has the file.
    if let program = process.read({ $0 }) {
      program.send(SIGKILL)
      try await program.ended()
    }
    let program = try world.start(
      "tubeline-catalog", settings: ["CATALOG_DATABASE": file, "HTTP_PORT": "0", "KAFKA_FETCH_WAIT_MAX_MS": "50"])
    process.update { $0 = program }
    let line = try await program.firstLine()
    address.update { $0 = line }
  }

  /// Returns how often, when it is cancelled.
  func dieAndComeBack() async throws -> Int {
    var kills = 0
    while !Task.isCancelled {
      // A task of its own, since what has begun to start is not left halfway.
      try await Task { try await self.restart() }.value
      kills += 1
      // Long enough to begin, at any place of a transaction.
      guard (try? await Task.sleep(for: .milliseconds(Int.random(in: 100...1200)))) != nil else { break }
    }
    return kills
  }

  func stop() async throws {
    let program = try #require(process.read { $0 })
    program.send(SIGTERM)
    #expect(try await program.ended() == .exited(0))
  }

  /// Waits until what the topic holds is stored, and so many videos are there.
  func waitUntil(_ condition: (Int) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    try await world.log.caughtUp()
    let ends = world.log.state.read { $0.positions }.filter { $0.key.topic == world.prefix + "video-records" }
    while true {
      let state = try? read { connection in
        let stored = try connection.query("SELECT partition, next FROM log_position WHERE topic LIKE '%video-records'") { row in
          (Int32(row.int(0) ?? 0), Int64(row.int(1) ?? 0))
        }
        return (stored, try connection.query("SELECT count(*) FROM video") { $0.int(0) ?? 0 }.first ?? 0)
      }
      if let (stored, count) = state {
        let positions = Dictionary(stored) { $1 }
        if condition(count), ends.allSatisfy({ World.realServers != nil || (positions[$0.key.partition] ?? 0) >= $0.value }) { return }
      }
      guard ContinuousClock.now < deadline else { throw Unmet("the catalogue has not caught up", known: "\(String(describing: state))") }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  func rows() throws -> [String: [UInt8]] {
    try read { connection in
      Dictionary(
        try connection.query("SELECT v.video_id, r.record FROM video v JOIN video_record r ON r.n = v.n") { row in
          (row.text(0) ?? "", row.blob(1) ?? [])
        }, uniquingKeysWith: { $1 })
    }
  }

  private func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try body(try Connection(path: file, options: DatabaseOptions(isReadOnly: true)))
  }
}
