import JSON
import Testing

@Suite("Writing JSON", .timeLimit(.minutes(1)))
struct JSONWritingTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func membersElementsAndCommas() {
    let text = text { writer in
      writer.object { writer in
        writer.member("a", 1)
        writer.member("absent", nil as String?)
        writer.member(
          "b",
          array: {
            $0.value(1)
            $0.value("x")
            $0.array { _ in }
            $0.null()
          })
        writer.member("c", object: { _ in })
        writer.member("d", true)
        writer.member("e", -12)
        writer.key(named: "q\"")
        writer.value(0.5)
      }
    }
    #expect(text == #"{"a":1,"b":[1,"x",[],null],"c":{},"d":true,"e":-12,"q\"":0.5}"#)
  }

  @Test func controlCharactersAndQuotesAreEscapedAndTheRestIsNot() throws {
    for value in 0..<UInt32(0x300) {
      let string = "a" + String(Unicode.Scalar(value) ?? "x") + "b"
      let bytes = JSONTree.string(string).bytes()
      #expect(!bytes.contains { $0 < 0x20 })
      #expect(try JSONTree.parse(bytes) == .string(string))
    }
    #expect(text { $0.value("ü🎬\u{2028}/") } == "\"ü🎬\u{2028}/\"")
    #expect(text { $0.value("\u{1}\u{1F}\n") } == #""\u0001\u001f\n""#)
  }

  @Test func numbersThatJSONDoesNotHaveAreNull() {
    #expect(text { $0.value(Double.nan) } == "null")
    #expect(text { $0.value(-Double.infinity) } == "null")
    #expect(text { $0.value(Int.min) } == "-9223372036854775808")
  }

  @Test func prettyTextIsTheSameValue() throws {
    let tree: JSONTree = ["a": [1, ["b": []], [:]], "c": "x"]
    #expect(try JSONTree.parse(tree.bytes(pretty: true)) == tree)
    #expect(String(decoding: (["a": [1]] as JSONTree).bytes(pretty: true), as: UTF8.self) == "{\n  \"a\": [\n    1\n  ]\n}")
  }

  @Test func membersOfATreeAreSetReplacedAndRemoved() {
    var tree: JSONTree = ["a": 1]
    tree["b"] = 2
    tree["a"] = "x"
    #expect(tree == ["a": "x", "b": 2])
    tree["a"] = nil
    tree["zzz"] = nil
    #expect(tree == ["b": 2])
    var text: JSONTree = "t"
    text["a"] = 1
    #expect(text == "t" && text["a"] == nil)
  }

  private static let sample =
    #"{"items":[{"id":"v1","n":-5,"d":0.25,"big":12345678901234567,"t":true,"x":null,"s":"\u00fc\"\\\n"},[],{}],"k":[[1],[2.5e-3,"a"]]}"#

  @Test(arguments: 0..<20) func mutatedDocumentsNeverCrashAndWhatIsReadSurvivesWriting(seed: UInt64) throws {
    var state = seed &* 7919 &+ 1
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for _ in 0..<500 {
      var bytes = Array(Self.sample.utf8)
      for _ in 0...random(4) where bytes.count > 1 {
        let place = random(bytes.count)
        switch random(4) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array("{}[]\",:0e-\\".utf8)[random(11)], at: place)
        default: bytes = Array(bytes.prefix(max(place, 1)))
        }
      }
      guard let tree = try? JSONTree.parse(bytes) else { continue }
      #expect(try JSONTree.parse(tree.bytes()) == tree)
    }
  }
}
