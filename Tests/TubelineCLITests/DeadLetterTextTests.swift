import FoundationEssentials
import Messages
import Telemetry
import Testing

@testable import Monitoring
@testable import TubelineCLI

@Suite("Dead letters in words", .timeLimit(.minutes(1)))
struct DeadLetterTextTests {
  private func letter(value: [UInt8]?, key: [UInt8]? = nil, _ headers: [MessageHeader] = [], failedAt: String? = nil) -> DeadLetterRecord {
    var headers = headers
    if let failedAt { headers.set(HeaderName.failedAt, failedAt) }
    return DeadLetterRecord(
      id: DeadLetterID(stage: .videos, partition: 3, offset: 9),
      message: ReceivedMessage(
        source: TopicPartition(topic: "videos-dead", partition: 3), offset: 9, timestamp: 1_000_000, key: key, value: value,
        headers: headers), settlement: nil)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\u{1B}[2Jbcdefg", "a␛[2Jbcdefg"), ("tab\there", "tab␉here"), ("\u{9B}31m red", "<U+009B>31m red"),
    ("\u{202E}abc", "<U+202E>abc"), ("日本", "日本"), ("a\r\nb", "a␍␊b"), ("del\u{7F}ete", "del␡ete"), ("", ""),
  ])
  func oneLineShowsEveryCharacter(text: String, shown: String) {
    #expect(VisibleBytes.line(Array(text.utf8)) == shown)
  }

  @Test(
    arguments: [
      ([0x41, 0x42, 0x43, 0xFF, 0x44], "ABC<0xFF>D"), ([0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0xE2, 0x82], "ABCDEF<0xE2><0x82>"),
      ([0xFF, 0x00], "0xff00"), ([0x1B, 0x5B], "0x1b5b"),
    ] as [([UInt8], String)])
  func bytesThatAreNoTextAreNumbers(bytes: [UInt8], shown: String) {
    #expect(VisibleBytes.line(bytes).lowercased() == shown.lowercased())
  }

  @Test func aHexDumpShowsOffsetsBytesAndASCII() {
    let lines = VisibleBytes.hexDump(Array("0123456789abcdef\u{1B}x".utf8))
    #expect(
      lines == [
        "00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  |0123456789abcdef|",
        "00000010  1b 78                                            |.x|",
      ])
  }

  /// Any byte in any place of a letter: none of them reaches a terminal as a control.
  @Test func noControlReachesATerminal() {
    var generator = SystemRandomNumberGenerator()
    for round in 0..<300 {
      var bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if round % 2 == 0 {
        bytes = Array("harmless text ".utf8) + bytes.prefix(12) + Array(" and much more of it behind\u{1B}]0;x\u{7}\u{9B}m".utf8)
      }
      let name = String(decoding: bytes, as: UTF8.self)
      let letter = letter(
        value: bytes, key: bytes,
        [
          MessageHeader(name, bytes), MessageHeader(HeaderName.errorCode, bytes), MessageHeader(HeaderName.errorMessage, name),
          MessageHeader(HeaderName.originTopic, name), MessageHeader(HeaderName.attempt, name),
        ], failedAt: name)
      for asHex in [false, true] {
        let page = DeadLetterText.page(letter, asHex: asHex)
        let isHarmless = page.unicodeScalars.allSatisfy { scalar in
          scalar == "\n" || scalar.value >= 0xA0 && scalar.value != 0x202E || (0x20..<0x7F).contains(scalar.value)
        }
        #expect(isHarmless, "\(bytes)")
      }
    }
  }

  @Test func aPageSaysWhatWhyAndWhence() {
    let headers = [
      MessageHeader("ce_id", "a"), MessageHeader("none", nil), MessageHeader("empty", ""),
      MessageHeader(HeaderName.errorCode, "invalidJSON"),
      MessageHeader(HeaderName.errorMessage, "No object."), MessageHeader(HeaderName.attempt, "1"),
      MessageHeader(HeaderName.originTopic, "playlist-pages"), MessageHeader(HeaderName.originPartition, "2"),
      MessageHeader(HeaderName.originOffset, "5"),
    ]
    let page = DeadLetterText.page(letter(value: Array("[1,\n2]".utf8), headers, failedAt: "2026-11-30T00:00:00Z"), asHex: false)
    #expect(
      page.hasPrefix(
        """
        letter   videos-3-9, waiting
        why      invalidJSON: No object.
        failed   2026-11-30T00:00:00Z in stage videos, attempt 1
        origin   playlist-pages-2-5
        key      (null)
        headers
          ce_id: a
          none: (null)
          empty: (empty)

        """))
    #expect(page.hasSuffix("value    6 bytes\n  [1,\n  2]\n"))
  }

  @Test(arguments: [
    ("playlists-0-17", "playlists-0-17"), ("playlists-dead-0-17", "playlists-0-17"), ("playlists", nil), ("other-0-1", nil),
    ("channels-0--1", nil), ("channels-x-1", nil), ("channels-dead-1", nil), ("channels-0-1-2", nil), ("", nil),
    ("channels-0-99999999999999999999", nil),
  ])
  func lettersAreNamedByStagePartitionAndOffset(text: String, name: String?) {
    #expect((try? DeadLetterID(parsing: text))?.description == name)
  }

  private func selection(_ arguments: String...) throws -> DeadLetterSelection {
    let parsed = try DeadLettersReplayCommand.specification.parser.parse(arguments)
    return try DeadLetterSelection(parsed, now: Date(timeIntervalSince1970: 1_000_000))
  }

  @Test func timesAreMomentsOrHowLongAgo() throws {
    let failed = letter(value: nil, failedAt: Timestamp.rfc3339(Date(timeIntervalSince1970: 1_000_000 - 3600)))
    #expect(try selection("--since", "1h").matches(failed) && !selection("--since", "59m").matches(failed))
    #expect(try selection("--until", "59m").matches(failed) && !selection("--until", "1h").matches(failed))
    #expect(try selection("--since", "1970-01-12").matches(failed) && !selection("--since", "1970-01-13").matches(failed))
    // Without a readable time of its own, the broker's counts.
    #expect(try selection("--since", "1970-01-01").matches(letter(value: nil, failedAt: "?")))
    #expect(try !selection("--since", "1970-01-02").matches(letter(value: nil)))
  }

  @Test(arguments: [
    ["--since", "2026"], ["--since", "soon"], ["--since", "1h", "--until", "2h"], ["--stage", "playlist"], ["--code", "timeout"],
    ["--stage", "videos", "channels-0-1"], ["nonsense"], ["--stage", ""],
  ])
  func aSelectionThatMakesNoSenseIsRefused(arguments: [String]) throws {
    let parsed = try DeadLettersReplayCommand.specification.parser.parse(arguments)
    #expect(throws: UsageError.self) { try DeadLetterSelection(parsed, now: Date()) }
  }

  @Test(arguments: [[], ["--limit", "3"], ["--all", "--stage", "videos"], ["--all", "videos-0-1"]])
  func settlingNeedsASelectionOrAll(arguments: [String]) async throws {
    for command in [DeadLettersReplayCommand.self, DeadLettersDiscardCommand.self] as [any Command.Type] {
      let invocation = Invocation(arguments: try command.specification.parser.parse(arguments), environment: [:])
      await #expect(throws: UsageError.self) { try await command.run(invocation) }
    }
  }
}
