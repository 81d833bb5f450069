import JSON
import Testing

@Suite("Reading JSON", .timeLimit(.minutes(1)))
struct JSONReadingTests {
  private func root(_ text: String) throws(JSONError) -> JSONValue { try JSONDocument.parse(Array(text.utf8)).root }

  @Test func everyTypeIsReadAndNoOther() throws {
    let root = try root(#"{"s":"x","i":-3,"d":1.5,"t":true,"f":false,"n":null,"a":[1,"2"],"o":{"k":1}}"#)
    #expect(root["s"]?.string == "x" && root["s"]?.int == nil && root["s"]?.bool == nil)
    #expect(root["i"]?.int == -3 && root["i"]?.double == -3 && root["i"]?.count == nil && root["i"]?.string == nil)
    #expect(root["d"]?.double == 1.5 && root["d"]?.int == nil)
    #expect(root["t"]?.bool == true && root["f"]?.bool == false)
    #expect(root["n"]?.isNull == true && root["n"]?.kind == .null)
    #expect(root["absent"] == nil)
    #expect(root["a"]?.elements.map(\.kind) == [.number, .string])
    #expect(root["o"]?.members.map(\.key) == ["k"])
    #expect(root["a"]?.members.map(\.key) == [] && root["o"]?.elements.map(\.kind) == [])
    #expect(root["s"]?["k"] == nil)
  }

  @Test(arguments: [
    (#""\u0041\n\t\"\\\/""#, "A\n\t\"\\/"), (#""\ud83c\udfac""#, "🎬"), (#""a\u0000b""#, "a\0b"), (#""ü""#, "ü"), (#""""#, ""),
  ])
  func escapesAreRead(text: String, value: String) throws { #expect(try root(text).string == value) }

  @Test(arguments: [
    ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("1e3", 1000), ("2.0", 2), ("0", 0),
  ])
  func wholeNumbersAreReadExactly(text: String, value: Int) throws { #expect(try root(text).int == value) }

  @Test(arguments: ["9223372036854775808", "18446744073709551615", "1e30", "0.5", "\"5\""])
  func whatIsNoWholeNumberThatFitsIsNone(text: String) throws { #expect(try root(text).int == nil) }

  @Test(arguments: [
    ("\"8706674678\"", 8_706_674_678), ("12", 12), ("\"0\"", 0), ("\"9007199254740992\"", 1 << 53), ("\"9007199254740993\"", nil),
    ("9007199254740993", nil), ("\"9223372036854775808\"", nil), ("\"000000000000000000\"", 0),
    ("\"\"", nil),
    ("\"-1\"", nil), ("-1", nil), ("\"1.5\"", nil), ("\" 1\"", nil), ("true", nil), ("\"18446744073709551615\"", nil),
  ])
  func countsAreNumbersOrDigits(text: String, value: Int?) throws { #expect(try root(text).count == value) }

  @Test func ofDoubledKeysTheFirstCounts() throws {
    let root = try root(#"{"k":1,"k":2,"\u006b2":3}"#)
    #expect(root["k"]?.int == 1)
    #expect(root["k2"]?.int == 3)
    #expect(root[named: "k2"]?.int == 3)
    #expect(root.members.map(\.key) == ["k", "k", "k2"])
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "{\"a\":}", "nul", "01", "1 2", "\"\u{1}\"", "{'a':1}", "\"\\ud800", "{\"a\" 1}", "\u{FEFF}x",
    "NaN",
  ])
  func malformedTextsAreRefusedWithAReason(text: String) {
    #expect { try root(text) } throws: { ($0 as? JSONError)?.reason.isEmpty == false }
  }

  @Test(
    arguments: [
      ("123456789012345678901234567890", 123456789012345678901234567890.0), ("18446744073709551616", 18446744073709551616.0),
      ("-9223372036854775809", -9223372036854777856.0), ("-9223372036854777856", -9223372036854777856.0),
      ("1e400", .greatestFiniteMagnitude), ("-1e400", -.greatestFiniteMagnitude), ("2E+308", .greatestFiniteMagnitude),
      (String(repeating: "9", count: 400), .greatestFiniteMagnitude), ("-" + String(repeating: "9", count: 400), -.greatestFiniteMagnitude),
      (String(repeating: "9", count: 400) + ".5", .greatestFiniteMagnitude),
    ] as [(String, Double)])
  func numbersThatDoNotFitReadAsFiniteOnesNearThem(text: String, value: Double) throws {
    for number in [try root(text), try #require(try root("[\(text)]").elements.first { _ in true })] {
      #expect(number.double == value && number.int == nil && number.count == nil)
    }
  }

  @Test func theyHinderNoOtherField() throws {
    let text = #"{"a":"1e400 \" -1e400 \\","b":[1e400,{"c":-9223372036854775808}],"1e400":18446744073709551615,"d":1e-400,"e":0.1}"#
    let root = try root(text)
    #expect(root["a"]?.string == #"1e400 " -1e400 \"#)
    #expect(root["b"]?.elements.map(\.kind) == [.number, .object])
    #expect(root["b"]?.elements.compactMap { $0["c"]?.int } == [Int.min])
    #expect(root["1e400"]?.double == 18446744073709551615.0 && root["d"]?.double == 0 && root["e"]?.double == 0.1)
  }

  @Test(arguments: [
    "01", "1.", "+1", "-", ".5", "1e", "1e+", "1.e400", "01e400", "1e400e1", "--1e400", "1e400x", "1e400 1", "-Infinity", "Infinity",
    "0x1e400", "00000000000000000000000000", "1e400]", "\"\\", "1e400\0",
  ])
  func whatIsNoNumberIsRefusedBesideThem(text: String) {
    #expect(throws: JSONError.self) { try root("[1e400,\(text)]") }
    #expect(throws: JSONError.self) { try root("[\(text),1e400]") }
    #expect(throws: JSONError.self) { try root(text) }
  }

  // What lies behind the bytes must not be read: a digit there would be part of the number.
  @Test func onlyTheBytesThemselvesAreRead() throws {
    for length in 20..<200 {
      let digits = Array(repeating: UInt8(ascii: "9"), count: length + 300)
      let value = try digits.withUnsafeBytes { try JSONDocument(UnsafeRawBufferPointer(rebasing: $0[..<length])).root.double }
      #expect(value == Double(String(repeating: "9", count: length)))
      let open = [UInt8(ascii: "[")] + digits
      #expect(throws: JSONError.self) {
        try open.withUnsafeBytes { _ = try JSONDocument(UnsafeRawBufferPointer(rebasing: $0[...length])) }
      }
    }
  }

  @Test func brokenUTF8IsRefused() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      #expect(throws: JSONError.self) { try JSONDocument.parse(bytes) }
    }
  }

  @Test func deepNestingIsRefusedAndLessIsRead() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(throws: JSONError.self) { try root(nested(2000)) }
    #expect(throws: JSONError.self) { try root(nested(1_000_000)) }
    let tree = try JSONTree.parse(Array(nested(500).utf8))
    #expect(String(decoding: tree.bytes(), as: UTF8.self) == nested(500))
  }

  @Test func aValueKeepsItsDocumentAlive() throws {
    var values: [JSONValue] = []
    for number in 0..<100 { values.append(try #require(try root("{\"a\":\"\(number)\"}")["a"])) }
    #expect(values.map(\.string) == (0..<100).map(String.init))
  }

  @Test func documentsAreReadByManyTasksAtOnce() async throws {
    let document = try JSONDocument.parse(Array(#"{"a":[1,2,3]}"#.utf8))
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let other = try? JSONTree.parse(Array("[4,5]".utf8))
          return (document.root["a"]?.elements.compactMap(\.int).reduce(0, +) ?? 0) + (other?.elements?.count ?? 0)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 8, count: 16))
  }
}
