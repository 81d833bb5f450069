import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
  @Test(arguments: [
    ("/", "/", [] as [HTTPServer.Parameter]),
    ("/a%20b/%E2%82%AC?", "/a b/€", []),
    ("/a+b", "/a+b", []),
    ("/p?q=a+b%2Bc&q=%26%3D", "/p", [.init("q", "a b+c"), .init("q", "&=")]),
    ("/p?flag&empty=&=x", "/p", [.init("flag", ""), .init("empty", ""), .init("", "x")]),
    ("/p?a=1&&b=2&", "/p", [.init("a", "1"), .init("b", "2")]),
    ("/p?a=b=c", "/p", [.init("a", "b=c")]),
    ("/p?broken=%zz%4", "/p", [.init("broken", "%zz%4")]),
    ("/p?nul=%00", "/p", [.init("nul", "\0")]),
    ("/p?bad=%FF", "/p", [.init("bad", "\u{fffd}")]),
    ("/p?end=%41", "/p", [.init("end", "A")]),
    ("http://host:1/p?a=1", "/p", [.init("a", "1")]),
    ("http://host", "/", []),
    ("/p?url=http://x/y", "/p", [.init("url", "http://x/y")]),
    ("/p?a=1#fragment", "/p", [.init("a", "1")]),
  ])
  func isTakenApartAndDecodedOnce(_ raw: String, _ path: String, _ query: [HTTPServer.Parameter]) {
    let target = RequestTarget(raw)
    #expect(target.path == path)
    #expect(target.query == query)
  }
}
