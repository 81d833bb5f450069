import Foundation
import SQLite
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct MigrationTests {
  @Test func aNewFileGetsThePresentVersionAndAnOldOneIsKept() async throws {
    try await StoreScene.with { store, scene in
      try await store.put(try Sample.video("a"))
      await store.close()
      let reopened = try await scene.open()
      #expect(try await reopened.read { try $0.connection.pragma("user_version") } == CatalogSchema.version)
      #expect(try await reopened.record(of: "a") != nil)
      await reopened.close()
    }
  }

  @Test func eachVersionLeadsToTheNextFromAnyEarlierOne() throws {
    for start in 0..<CatalogSchema.version {
      let connection = try Connection(path: ":memory:")
      for statements in CatalogSchema.migrations.prefix(start) { for statement in statements { try connection.execute(statement) } }
      if start > 0 {
        try connection.execute("PRAGMA application_id = \(CatalogSchema.applicationID); PRAGMA user_version = \(start)")
      }
      try CatalogSchema.migrate(connection)
      #expect(try connection.pragma("user_version") == CatalogSchema.version)
      #expect(try connection.query("SELECT count(*) FROM video") { $0.int(0) ?? -1 } == [0])
    }
  }

  @Test func aNewerDatabaseIsRefused() async throws {
    let scene = try StoreScene()
    do {
      let connection = try Connection(path: scene.path)
      try connection.execute("PRAGMA application_id = \(CatalogSchema.applicationID); PRAGMA user_version = 99")
    }
    await #expect(throws: CatalogStoreError.newer(found: 99, known: CatalogSchema.version)) { try await scene.open() }
  }

  @Test func versionTwoCountsTheSumsAgainAndKnowsTheTimesOfFinds() throws {
    let connection = try Connection(path: ":memory:")
    for statement in CatalogSchema.migrations[0] { try connection.execute(statement) }
    try connection.execute(
      """
      PRAGMA application_id = \(CatalogSchema.applicationID); PRAGMA user_version = 1;
      INSERT INTO channel (n, channel_id, videos, liked) VALUES (1, 'UCone', 0, 3), (2, 'UCtwo', 1, 0);
      INSERT INTO video (video_id, channel, published, duration, views, unavailable, liked, fetched, text_hash)
        VALUES ('a', 1, 0, 0, 0, 1, 0, 70, 0);
      INSERT INTO found_video VALUES ('r', 0, 'a'), ('r', 1, 'gone');
      """)
    try CatalogSchema.migrate(connection)
    let sums = try connection.query("SELECT videos, unavailable, liked FROM channel") { row in (0..<3).map { row.int($0) } }
    #expect(sums == [[1, 1, 0]])
    #expect(try connection.query("SELECT noted FROM found_video ORDER BY position") { $0.int(0) } == [70, 0])
  }

  @Test func versionFourKeepsTheVideosAndForgetsChannelsOfNone() throws {
    let connection = try Connection(path: ":memory:")
    for statement in CatalogSchema.migrations.prefix(3).joined() { try connection.execute(statement) }
    try connection.execute(
      """
      PRAGMA application_id = \(CatalogSchema.applicationID); PRAGMA user_version = 3;
      INSERT INTO channel (n, channel_id, videos, fetched) VALUES (1, 'UCone', 1, NULL), (2, 'UCghost', 0, NULL), (3, 'UCthree', 0, 5);
      INSERT INTO video (video_id, channel, published, duration, views, unavailable, liked, fetched, text_hash)
        VALUES ('a', 1, 0, 0, 0, 1, 0, 70, 12);
      """)
    try CatalogSchema.migrate(connection)
    #expect(try connection.query("SELECT channel_id FROM channel ORDER BY n") { $0.text(0) } == ["UCone", "UCthree"])
    #expect(try connection.query("SELECT video_id, fetched FROM video") { [$0.text(0), $0.text(1)] } == [["a", "70"]])
  }
}
