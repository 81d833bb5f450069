import JSON
import Testing

@testable import Messages

@Suite("ChannelRequest", .timeLimit(.minutes(1)))
struct ChannelRequestTests {
  @Test(arguments: [
    ("Apple", "Apple"), ("  @Apple \r\n", "@Apple"), ("日本", "日本"), ("a{b", "a{b"), ("\"x\"", "\"x\""), ("\u{FEFF}Apple", "Apple"),
    ("\u{FEFF}{\"channel\":\"Apple\"}", "Apple"),
  ])
  func plainTextIsAChannel(text: String, channel: String) throws {
    let request = try ChannelRequest(value: Array(text.utf8))
    #expect(request.target == .channel(channel))
    #expect(request.requestID == nil)
    #expect(request.options == RequestOptions())
  }

  private static let badRequests = [
    "[]", "{}", #"{"channel":null}"#, #"{"channel":7}"#, #"{"channel":" "}"#, #"{"channel":"a","id":"b"}"#,
    #"{"channel":"a","requestId":""}"#,
    #"{"channel":"a","requestId":5}"#, #"{"channel":"a","maxVideos":0}"#, #"{"channel":"a","maxVideos":-1}"#,
    #"{"channel":"a","maxVideos":1.5}"#, #"{"channel":"a","maxVideos":"5"}"#, #"{"channel":"a","maxVideos":9e18}"#,
    #"{"channel":"a","publishedAfter":"yesterday"}"#, #"{"channel":"a","expiresAt":1}"#, #"{"channel":"a","enrich":"yes"}"#,
    #"{"channel":"a","scope":"all"}"#, #"{"channel":"a","since":"first"}"#,
  ]

  private func code(_ value: [UInt8]?) -> DeadLetterCode? {
    do throws(PayloadError) {
      _ = try ChannelRequest(value: value)
      return nil
    } catch { return error.message.isEmpty ? nil : error.code }
  }

  @Test(arguments: badRequests) func badRequestsAreNamedSo(text: String) { #expect(code(Array(text.utf8)) == .invalidRequest) }

  @Test(arguments: ["{", "[1", "{} x", "{'a':1}"]) func whatBeginsLikeJSONButIsNone(text: String) {
    #expect(code(Array(text.utf8)) == .invalidJSON)
  }

  @Test func emptinessTombstonesAndBrokenTextHaveTheirCodes() {
    #expect(code(nil) == .tombstone)
    #expect(code([]) == .emptyMessage)
    #expect(code(Array(" \n\t".utf8)) == .emptyMessage)
    #expect(code(Array("\u{A0}\u{3000}".utf8)) == .emptyMessage)
    #expect(code([0xFF, 0xFE]) == .invalidUTF8)
    #expect(code([0x7B, 0xC3]) == .invalidUTF8)
  }

  @Test func everyFieldIsReadAndSurvives() throws {
    let text = """
      {"requestId":"r-7f3a","channel":"@Google","scope":"details","maxVideos":500,"publishedAfter":"2026-01-01T00:00:00Z","enrich":false,
       "allowSearch":true,"expiresAt":"2026-12-01T00:00:00.123Z","since":"last","unknown":[1]}
      """
    let request = try ChannelRequest(value: Array(text.utf8))
    #expect(request.requestID == "r-7f3a")
    #expect(request.options.maxVideos == 500 && request.options.scope == .details && !request.options.enrich && request.options.allowSearch)
    #expect(try ChannelRequest(value: request.bytes) == request)
    #expect(String(decoding: request.bytes, as: UTF8.self).contains("2026-12-01T00:00:00.123Z"))
  }

  @Test(arguments: ["1e400", "-1e400", "123456789012345678901234567890"]) func aNumberThatDoesNotFitConcernsItsFieldAlone(number: String)
    throws
  {
    let ignored = try ChannelRequest(value: Array(#"{"price":\#(number),"requestId":"r","channel":"@x"}"#.utf8))
    #expect(ignored.requestID == "r" && ignored.target == .channel("@x"))
    for option in [#""maxVideos":\#(number)"#, #""since":\#(number)"#] {
      let value = Array(#"{"requestId":"r","channel":"@x",\#(option)}"#.utf8)
      #expect(code(value) == .invalidRequest)
      #expect(UnusableRequest(value).requestID == "r")
    }
  }

  @Test(arguments: ["channel", "id", "handle", "username", "url", "video", "playlist"]) func eachFormSurvives(name: String) throws {
    let request = try ChannelRequest(value: Array("{\"\(name)\":\"x\"}".utf8))
    #expect(request.target.text == "x")
    #expect(try JSONTree.parse(request.bytes)[name] == "x")
  }

  @Test(arguments: [
    (#"{"requestId":"r"}"#, "r"), (#"{"requestId":7}"#, nil), ("{", nil), ("text", nil), (#"{"requestId":""}"#, nil), ("[]", nil),
    (#"{"requestId":"r","scope":9}"#, "r"), ("\u{FEFF}{\"requestId\":\"r\"}", "r"),
  ])
  func anUnusableMessageMayStillTellItsRequest(text: String, requestID: String?) {
    #expect(UnusableRequest(Array(text.utf8)).requestID == requestID)
    #expect(UnusableRequest(nil).requestID == nil)
  }
}
