import SQLite
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  private static let titles: [String: String] = [
    "cafe": "Café in Zürich", "japan": "日本語の動画を見る", "thai": "สวัสดีชาวโลก", "emoji": "Party 🎉🇨🇭 time", "new": "🫠 melting",
    "greek": "Καλημέρα κόσμε", "arabic": "مرحبا بالعالم", "russian": "Ёлка и мёд", "quote": "He said \"NOT now\" OR never",
    "plain": "swift kafka tutorial part 10",
    "accent": "Cafe\u{301} combined", "korean": "안녕하세요 세계",
  ]

  static let cases: [(String, Set<String>)] = [
    ("cafe", ["cafe", "accent"]), ("CAFÉ", ["cafe", "accent"]), ("zurich", ["cafe"]), ("日本", ["japan"]), ("本語", ["japan"]),
    ("動画", ["japan"]), ("語日", []), ("ชาว", ["thai"]), ("🎉", ["emoji"]), ("🫠", ["new"]), ("party 🎉", ["emoji"]), ("καλημερα", ["greek"]),
    ("مرحبا", ["arabic"]), ("안녕", ["korean"]), ("елка", ["russian"]), ("МЁД", ["russian"]), ("swi kaf", []), ("swift kaf", ["plain"]),
    ("kafka swift", ["plain"]),
    ("\"kafka swift\"", []), ("\"swift kafka\"", ["plain"]), ("swift 10", ["plain"]), ("swift -kafka", ["plain"]),
    ("now OR never", ["quote"]), ("said not", ["quote"]), ("", []), ("   ", []), ("\"", []), ("\"\"", []), ("*", []), ("!!!", []),
    ("title:", []), ("-", []), ("NEAR(swift kafka)", []), ("swift*", ["plain"]), ("(swift", ["plain"]), ("swift AND", []),
    ("\u{0}swift", ["plain"]), ("^swift", ["plain"]), ("swift \u{301}\"", ["plain"]), ("{title} : swift", []), ("swi\"ft", []),
  ]

  @Test func findsWhatWasMeantAndNeverFails() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Self.titles.sorted { $0.key < $1.key }.map { try Sample.video($0.key, title: $0.value) })
      for (text, expected) in Self.cases {
        let found = try await store.found(text)
        #expect(found == expected, "query \(text)")
      }
    }
  }

  @Test func titlesComeBeforeDescriptionsAndThenTheNewest() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(
        try Sample.video("described", title: "x", description: "swift", published: "2026-03-01T00:00:00Z"),
        try Sample.video("old", title: "swift", published: "2020-03-01T00:00:00Z"),
        try Sample.video("new", title: "swift", published: "2024-03-01T00:00:00Z"))
      let order = try await store.read { reader in
        try reader.search(.videos, TextQuery("swift")).matches.compactMap { try reader.video(number: $0.n)?.videoID }
      }
      #expect(order == ["new", "old", "described"])
    }
  }

  @Test func aFrequentWordIsSearchedInPartAndSaysSo() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try (0..<CatalogReader.mostMatches + 5).map { try Sample.video("v\($0)", title: "same") })
      let matches = try await store.read { try $0.search(.videos, TextQuery("same")) }
      #expect(matches.matches.count == CatalogReader.mostMatches && !matches.isComplete)
    }
  }

  @Test func frequentWordsAreReadAsFarAsTheReachAndTheNextSearchIsWhole() async throws {
    try await StoreScene.with { store, _ in
      // The words are in every record, and the phrase in a few.
      try await store.put(
        try (0..<4000).map { n in
          try Sample.video("v\(n)", title: "plain", description: n % 1000 == 0 ? "kafka swift" : "swift and then kafka \(n)")
        })
      let phrase = TextQuery("\"kafka swift\"")
      let (cut, whole) = try await store.read { reader in
        (
          try reader.search(.videos, phrase, reach: CatalogReader.Reach(titles: 100, texts: 16)),
          try reader.search(.videos, phrase)
        )
      }
      #expect(!cut.isComplete && cut.matches.count < 4)
      #expect(whole.isComplete && whole.matches.count == 4)
      let none = try await store.read { try $0.search(.videos, TextQuery("kafka nowhere"), reach: CatalogReader.Reach(texts: 64)) }
      #expect(none.isComplete && none.matches == [], "a word that no record has ends the search at once")
    }
  }

  @Test func channelsAreFoundByTitleDescriptionAndHandle() async throws {
    try await StoreScene.with { store, _ in
      try await store.write { writer in
        try writer.put(try Sample.channel("UCa", title: "Música", handle: "@sonido"))
        try writer.put(try Sample.channel("UCb", title: "Other", description: "musica too"))
      }
      #expect(try await store.found("musica", .channels) == ["UCa", "UCb"])
      #expect(try await store.found("@sonido", .channels) == ["UCa"])
      try await store.write { try $0.put(try Sample.channel("UCa", title: "Changed", handle: "@sonido", fetched: "2026-11-30T11:00:00Z")) }
      #expect(try await store.found("musica", .channels) == ["UCb"])
      #expect(try await store.found("chang", .channels) == ["UCa"])
    }
  }

  @Test func whatIsIndexedIsForgottenWhole() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Self.titles.map { try Sample.video($0.key, title: $0.value) })
      for id in Self.titles.keys { try await store.write { try $0.remove(video: id) } }
      let words = try await store.write { writer in
        try ["video_title", "video_text"].flatMap { table in
          try writer.connection.execute("CREATE VIRTUAL TABLE temp.\(table)_words USING fts5vocab(main, \(table), row)")
          return try writer.connection.query("SELECT term FROM temp.\(table)_words") { $0.text(0) ?? "" }
        }
      }
      #expect(words == [])
    }
  }
}
