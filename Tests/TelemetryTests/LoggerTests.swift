import Foundation
import Telemetry
import TestSupport
import Testing

@Suite("Logger", .timeLimit(.minutes(1)))
struct LoggerTests {
  static let hostile = [
    "", "plain", "a b", "q\"q", "b\\s", "l\nl", "r\r\nr", "t\tt", "\u{0}\u{1}\u{1B}[31m\u{7F}\u{9B}", "ü🎬\u{2028}", "k=v",
  ]

  private func line(_ format: LogFormat, _ text: String) throws -> String {
    let recorder = LogRecorder()
    recorder.logger(text).log(.info, "Message") {
      ["a.string": .string(text), "a.number": 3, "a.double": .double(.infinity), "a.small": 0.5, "a.truth": true]
    }
    return format.line(try #require(recorder.entries.events.first))
  }

  @Test(arguments: hostile) func jsonLinesAreValidJSONWhateverTheMetadata(text: String) throws {
    let line = try line(.json, text)
    #expect(line.hasSuffix("}\n"))
    #expect(line.count { $0 == "\n" } == 1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["a.string"] as? String == text)
    #expect(object["logger"] as? String == text)
    #expect(object["a.number"] as? Int == 3)
    #expect(object["a.double"] is NSNull)
    #expect(object["a.truth"] as? Bool == true)
    #expect(object["level"] as? String == "info")
    #expect((object["time"] as? String).flatMap(Timestamp.parse) != nil)
  }

  @Test(arguments: hostile) func textLinesHaveNoRawControlCharacters(text: String) throws {
    let recorder = LogRecorder()
    recorder.logger().log(.warning, "Message") { ["key": .string(text)] }
    let line = LogFormat.text.line(try #require(recorder.entries.events.first))
    #expect(!line.dropLast().unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(line.hasSuffix("\n"))
  }

  @Test func keysAreEscapedToo() {
    let entry = LogRecorder()
    let key = "k\n\u{1B}"
    entry.logger().log(.info, "m") { [key: 1] }
    #expect(entry.entries.events.first.map { LogFormat.text.line($0).contains("k\\n\\u001b=1") } == true)
  }

  @Test func linesBelowTheLevelAreNotEvenMade() {
    let recorder = LogRecorder()
    let logger = recorder.logger(level: .warning)
    var made = 0
    logger.log(.info, "quiet") {
      made += 1
      return [:]
    }
    logger.log(.error, "loud") { [:] }
    #expect(made == 0)
    #expect(recorder.messages == ["loud"])
    #expect(logger.labelled("other").label == "other")
  }
}
