import JSON
import Kafka
import Messages
import Testing

extension EndToEndTests {
  @Suite(.serialized, .world(.init(workers: 1)), .timeLimit(.minutes(3)))
  struct BadInputTests {
    struct Bad: Sendable, CustomTestStringConvertible {
      let value: [UInt8]?
      let codes: [String]

      init(_ value: [UInt8]?, _ codes: String...) {
        self.value = value
        self.codes = codes
      }

      init(_ text: String, _ codes: String...) {
        value = Array(text.utf8)
        self.codes = codes
      }

      var testDescription: String { value.map { String(decoding: $0.prefix(40), as: UTF8.self) } ?? "tombstone" }
    }

    static let bad = [
      Bad("", "emptyMessage"), Bad("   \n\t", "emptyMessage"), Bad(nil, "tombstone"), Bad([0xFF, 0xFE, 0xFA], "invalidUTF8"),
      Bad([0xC3, 0x28], "invalidUTF8"), Bad("{\"channel\": ", "invalidJSON"), Bad("{\"channel\": \"@a\"} x", "invalidJSON"),
      Bad(String(repeating: "[", count: 100_000), "invalidJSON"), Bad("[]", "invalidRequest"), Bad("{}", "invalidRequest"),
      Bad("{\"channel\": 7}", "invalidRequest"), Bad("{\"channel\": null}", "invalidRequest"),
      Bad("{\"channel\": \" \"}", "invalidRequest"),
      Bad("{\"maxVideos\": 3}", "invalidRequest"), Bad("{\"id\": \"UCK8sQmJBp8GCxrOtXWBpyEA\", \"handle\": \"@x\"}", "invalidRequest"),
      Bad("{\"channel\": \"@Google\", \"maxVideos\": -1}", "invalidRequest"), Bad("{\"channel\": \"@a\", \"enrich\": 1}", "invalidRequest"),
      Bad("{\"channel\": \"@a\", \"scope\": \"all\"}", "invalidRequest"),
      Bad("{\"channel\": \"@a\", \"publishedAfter\": \"yesterday\"}", "invalidRequest"), Bad("https://vimeo.com/12345", "unknownReference"),
      Bad("https://www.youtube.com/feed/trending", "unknownReference"), Bad("a\u{0}b", "unknownReference"),
      Bad(String(repeating: "x", count: 900_000), "unknownReference"), Bad("two words", "unknownReference"),
    ]

    @Test func badInputIsKeptWithItsReasonAndTheWorkerGoesOn() async throws {
      let world = try World.current
      for (index, bad) in Self.bad.enumerated() {
        try await world.send(
          bad.value, key: "k\(index)", headers: [KafkaHeader("x-mine", "\(index)"), KafkaHeader(name: "x-null", value: nil)])
      }
      let (_, end) = try await world.outcome(["channel": "@Google", "scope": "details"])
      #expect(end["type"] == "completed", "the good request behind the bad ones")
      let letters = try await world.wait("\(Self.bad.count) dead letters") { state in
        let letters = state.messages[.dead(.channels)] ?? []
        return letters.count >= Self.bad.count ? letters : nil
      }
      try await world.log.caughtUp()
      #expect(world.messages(.dead(.channels)).count == Self.bad.count)
      let sent = world.messages(.channelRequests)
      for (index, bad) in Self.bad.enumerated() {
        let letter = try #require(letters.first { $0.header("x-mine") == "\(index)" }, "\(bad.testDescription)")
        let original = try #require(sent.first { $0.header("x-mine") == "\(index)" })
        try check(letter, of: original, bad)
        let origin = "channel-requests-\(original.record.partition)-\(original.record.offset)"
        let endings = world.log.state.read { $0.endings(origin) }
        #expect(endings.count == 1 && endings.first?["type"] == "rejected", "\(bad.testDescription): \(endings)")
        #expect(endings.first?["error"]?["code"]?.string == letter.header("tubeline-error-code"))
      }
    }

    private func check(_ letter: SeenMessage, of original: SeenMessage, _ bad: Bad) throws {
      #expect(letter.record.value == bad.value && letter.key == original.key, "\(bad.testDescription) was changed")
      #expect(letter.record.headers.contains(KafkaHeader(name: "x-null", value: nil)))
      #expect(
        bad.codes.contains(letter.header("tubeline-error-code") ?? ""),
        "\(bad.testDescription): \(letter.header("tubeline-error-code") ?? "none")")
      #expect((letter.header("tubeline-error-message") ?? "").count > 10)
      #expect(letter.header("tubeline-stage") == "channels")
      #expect(letter.header("tubeline-attempt") == "1")
      #expect(letter.header("tubeline-origin-topic") == original.record.topic)
      #expect(letter.header("tubeline-origin-partition") == "\(original.record.partition)")
      #expect(letter.header("tubeline-origin-offset") == "\(original.record.offset)")
      #expect(MessageContract.Form.time.fits(.string(letter.header("tubeline-failed-at") ?? "")))
    }

    @Test(arguments: [StageName.playlists, .videos])
    func garbageOnInternalTopicsIsDeadLettered(stage: StageName) async throws {
      let world = try World.current
      let topic = stage == .playlists ? Topic.playlistRequests : .playlistPages
      let values: [[UInt8]] = ["no json", "{}", "[1,2]", "{\"requestId\": 5}", "{\"requestId\":\"x\",\"items\":[{}]}"].map {
        Array($0.utf8)
      }
      for value in values { try await world.send(value, to: topic, key: "k") }
      let letters = try await world.wait("dead letters of \(stage)") { state in
        let letters = state.messages[.dead(stage)] ?? []
        return letters.count >= values.count ? letters : nil
      }
      #expect(letters.map(\.record.value) == values)
      #expect(letters.allSatisfy { $0.header("tubeline-error-code") == "invalidMessage" })
    }
  }
}
