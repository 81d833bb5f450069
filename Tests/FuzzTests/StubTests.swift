import JSON
import TestSupport
import Testing

@testable import HTTPServer
@testable import YouTubeStub

@Suite("Fuzz: requests to the stub", .timeLimit(.minutes(60)))
struct StubFuzzTests {
  private static let values: [String: [String]] = [
    "part": ["snippet", "snippet,contentDetails,statistics", "status,id", "x", ""], "id": ["UCK8sQmJBp8GCxrOtXWBpyEA", "a,b,,c", "v"],
    "forHandle": ["@google", "google"], "forUsername": ["GoogleDevelopers"], "playlistId": ["UUK8sQmJBp8GCxrOtXWBpyEA", "PLx"],
    "pageToken": ["CDIQAA", "CDIQAQ", "CAEQAA", "x"], "maxResults": ["0", "1", "50", "51", "-1"], "key": ["k", "invalid", ""],
    "fields": ["items(id,snippet/title)", "*", "items/*", "kind,items(id", "a(b(c(d(e)))))", "items(snippet(*))", "nextPageToken"],
    "publishedAfter": ["2026-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"],
    "publishedBefore": ["2026-01-01T00:00:00Z"], "type": ["channel", "video", "video,channel", "x"], "q": ["google", "\u{1F600}"],
    "order": ["date", "title"], "channelId": ["UCK8sQmJBp8GCxrOtXWBpyEA"], "prettyPrint": ["false"], "alt": ["json", "xml"],
    "videoId": ["v"],
    "eventType": ["live"], "mine": ["true"], "regionCode": ["DE"], "chart": ["mostPopular"], "$.xgafv": ["2"],
  ]

  static func target(_ random: inout Mutator) -> String {
    var text = random.pick(["channels", "playlistItems", "videos", "search", "playlists", "x"])
    text = "/youtube/v3/\(text)?key=k&part=\(random.pick(["id", "snippet"]))"
    for _ in 0..<random.below(5) {
      let name = random.pick(values.keys.sorted())
      let value = random.chance(80) ? random.pick(values[name] ?? [""]) : random.text()
      text += "&\(name)=" + value.utf8.map { Self.escaped($0) }.joined()
    }
    return text
  }

  private static func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
  }

  @Test func everyTargetIsTakenApart() {
    Fuzz.run { one in
      let usual = one.random.pick([Self.target(&one.random), "http://h:1/stub/faults?a=b#c", "/a%2Fb?x=1&&y", "*"])
      let text = one.given(one.random.chance(30) ? usual : String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      let target = RequestTarget(text)
      try claim(!target.path.isEmpty, "no path")
      try claim(RequestTarget(text) == target, "read otherwise the second time")
      let value = one.random.text()
      let encoded = RequestTarget("/p?q=" + value.utf8.map { Self.escaped($0) }.joined())
      try claim(encoded.query.first.map { $0.name == "q" && $0.value.utf8.elementsEqual(value.utf8) } == true, "\(encoded)")
    }
  }

  private static func router() -> Router {
    let archive = Generator(seed: 1, channels: 5, videosPerChannel: 60)
    let state = StubState(quota: QuotaBuckets(default: .max, search: .max))
    return Router(
      state: state, archive: archive, control: ControlEndpoints(state: state, archive: archive), keys: KeyCheck(accepted: nil),
      latency: .zero)
  }

  @Test func everyCallHasAnAnswerInJSON() {
    let router = Self.router()
    Fuzz.run { one in
      let usual = Self.target(&one.random)
      let text = one.given(one.random.chance(70) ? usual : String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      let target = RequestTarget(text)
      let method = one.random.chance(95) ? "GET" : one.random.text()
      let request = HTTPServer.Request(method: method, path: target.path, query: target.query)
      guard case .now(let response) = router.answer(request), case .bytes(let bytes) = response.body else {
        throw Broken(description: "no answer")
      }
      try claim((200...599).contains(response.status), "status \(response.status)")
      guard target.path.hasPrefix("/youtube/v3/"), response.headers.contains(where: { $0.value.contains("json") }) else { return }
      let tree = try JSONTree.parse(bytes)
      try claim(response.status == 200 || tree["error"] != nil, "an error without a cause")
    }
  }

  private static func fault(_ random: inout Mutator) -> JSONTree {
    [
      "match": ["method": "playlistItems.list", "pageToken": .string(random.text())], "count": .int(random.pick([1, -1, random.number()])),
      "status": .int(random.pick([503, 200, random.number()])), "reason": .string(random.text()), "body": random.tree(depth: 2),
      "headers": ["Retry-After": .int(1), "X": .string(random.text())], "action": .string(random.pick(["reset", "hang", "html", "?"])),
      "delayMs": .int(random.pick([1, random.number()])),
    ]
  }

  @Test func everyControlBodyIsTakenOrRefusedInASentence() {
    // Faults and videos pile up: a stub of its own for some cases each.
    var router = Self.router()
    var count = 0
    Fuzz.run { one in
      count += 1
      if count % 100 == 0 { router = Self.router() }
      let id = one.random.pick(["UCK8sQmJBp8GCxrOtXWBpyEA", one.random.text()])
      let documents: [String: JSONTree] = [
        "faults": Self.fault(&one.random), "quota": ["default": .int(one.random.number()), "search": .int(one.random.number())],
        "videos": ["channelId": .string(id), "add": .int(one.random.pick([3, one.random.number()])), "remove": ["x"]], "reset": [:],
      ]
      let name = one.random.pick(documents.keys.sorted())
      let body = one.given(one.random.mutated(documents[name] ?? .null))
      let path = "/stub/" + (one.random.chance(95) ? name : one.random.text())
      let request = HTTPServer.Request(method: one.random.pick(["POST", "POST", "GET", "DELETE"]), path: path, body: body)
      guard case .now(let response) = router.answer(request), case .bytes(let bytes) = response.body else {
        throw Broken(description: "no answer")
      }
      try claim([200, 204, 400, 404].contains(response.status), "status \(response.status)")
      if response.status >= 400 { try claimSentence(String(decoding: bytes, as: UTF8.self), limit: 100_000) }
      let call = HTTPServer.Request(
        method: "GET", path: "/youtube/v3/channels", query: [.init("key", "k"), .init("part", "id"), .init("id", id)])
      _ = router.answer(call)
    }
  }

  @Test func masksOfAnyDepthAreReadOrRefused() {
    Fuzz.run(share: 0.05) { one in
      let depth = one.random.below(20_000)
      let open = one.random.pick(["a(", "a/", "items(", "a,a(", "*("])
      let text = one.given(String(repeating: open, count: depth) + "a" + String(repeating: ")", count: one.random.chance(50) ? depth : 0))
      _ = try? FieldMask.parse(text)
    }
  }

  @Test func pageTokensReadBackEqualOrAreRefused() {
    Fuzz.run { one in
      let token = PageToken(offset: one.random.below(1 << 30), isBackwards: one.random.chance(50))
      try claim(PageToken(one.given(token.text)) == token, "\(token)")
      let text = one.given(String(decoding: one.random.mutated(Array(token.text.utf8)), as: UTF8.self))
      guard let other = PageToken(text) else { return }
      try claim(other.text == text && other.offset >= 0, "\(other)")
      let page = Page(token: other, size: one.random.below(51), total: one.random.below(30_000))
      try claim(page.range.lowerBound >= 0, "\(page)")
    }
  }

  @Test func argumentsAreReadOrRefusedInASentence() {
    Fuzz.run { one in
      let flags = ["--port", "--host", "--seed", "--channels", "--videos", "--api-key", "--quota-default", "--latency", "--help", "--x"]
      let arguments = (0..<one.random.below(5)).map { _ in
        let flag = one.random.pick(flags)
        let value = one.random.pick(["\(one.random.number())", one.random.text(), "200ms", "1000000000h"])
        return one.random.pick([flag, "\(flag)=\(value)", value])
      }
      _ = one.given("\(arguments)")
      do { _ = try StubConfiguration.parse(arguments) } catch let error as UsageError { try claimSentence(error.sentence, limit: 200_000) }
    }
  }
}
