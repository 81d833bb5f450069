import Foundation
import JSON
import TestSupport
import Testing

@testable import YouTubeAPI

@Suite("Fuzz: answers of the API", .timeLimit(.minutes(60)))
struct APIFuzzTests {
  static let secret = "AIzaSyMarkedKeyOfTheTest"

  static func thumbnails(_ random: inout Mutator) -> JSONTree {
    ["default": ["url": .string(random.text()), "width": .int(random.number()), "height": "90"], "high": ["url": 7]]
  }

  static func count(_ random: inout Mutator) -> JSONTree { random.chance(80) ? .string("\(random.number())") : .int(random.number()) }

  static func item(_ method: APIMethod, _ random: inout Mutator) -> JSONTree {
    let snippet: JSONTree = [
      "title": .string(random.text()), "description": .string(random.text()), "publishedAt": .string(Sample.time(&random)),
      "thumbnails": thumbnails(&random), "position": count(&random), "channelId": .string(Sample.id(&random)), "customUrl": "@x",
      "resourceId": ["videoId": .string(Sample.id(&random))], "tags": .array([.string(random.text()), 7]),
      "videoOwnerChannelId": .string(Sample.id(&random)), "videoOwnerChannelTitle": .string(random.text()),
    ]
    let statistics: JSONTree = [
      "viewCount": count(&random), "videoCount": count(&random), "likeCount": count(&random), "hiddenSubscriberCount": "true",
    ]
    let details: JSONTree = [
      "videoId": .string(Sample.id(&random)), "videoPublishedAt": .string(Sample.time(&random)),
      "duration": .string(random.pick(["PT1M3S", "P3W3DT20H31M21S", "P", "PT9223372036854775807S", random.text()])), "caption": "true",
      "relatedPlaylists": ["uploads": .string(Sample.id(&random))],
    ]
    let status: JSONTree = ["privacyStatus": .string(random.pick(["public", "private", "x"])), "embeddable": true]
    let id: JSONTree =
      method == .searchList
      ? ["kind": .string(random.pick(["youtube#video", "youtube#channel", ""])), "videoId": .string(Sample.id(&random))]
      : .string(Sample.id(&random))
    return ["id": id, "etag": "e", "snippet": snippet, "statistics": statistics, "contentDetails": details, "status": status]
  }

  static func answer(_ method: APIMethod, _ random: inout Mutator) -> JSONTree {
    var tree: JSONTree = ["kind": .string(method.responseKind)]
    if random.chance(50) { tree["nextPageToken"] = .string(random.pick(["CDIQAA", random.text()])) }
    if random.chance(80) { tree["pageInfo"] = ["totalResults": .int(random.number())] }
    if random.chance(90) { tree["items"] = .array((0..<random.below(4)).map { _ in item(method, &random) }) }
    return tree
  }

  static func failure(_ random: inout Mutator) -> JSONTree {
    let reason = random.pick(["quotaExceeded", "rateLimitExceeded", "playlistNotFound", "keyInvalid", "backendError", random.text()])
    let message = random.text() + random.pick(["", secret, "key=\(secret)&", secret + random.text(), "<b>\(secret)</b>"]) + random.text()
    let metadata: JSONTree = [
      "quota_limit": "defaultPerDayPerProject", "quota_limit_value": "0", "quota_unit": .string(random.pick(["1/d/{project}", "1/min"])),
    ]
    return [
      "error": [
        "code": .int(random.pick([400, 403, 404, 429, 500, random.number()])), "message": .string(message),
        "status": .string(random.text()),
        "errors": [["reason": .string(reason), "domain": .string(message), "message": .string(message)]],
        "details": [
          ["reason": .string(random.pick(["RATE_LIMIT_EXCEEDED", "API_KEY_INVALID", ""])), "domain": "d", "metadata": metadata]
        ],
      ]
    ]
  }

  @Test func everyAnswerIsReadOrIsMalformed() {
    Fuzz.run { one in
      let method = one.random.pick(APIMethod.allCases)
      let bytes = one.given(one.random.mutated(Self.answer(method, &one.random)))
      guard let root = try? JSONDocument.parse(bytes).root else { return }
      try Self.claimIDs(ListAnswer(root, of: .channelsList, decode: Channel.init)?.items.flatMap { [$0.id, $0.uploadsPlaylistID ?? "x"] })
      try Self.claimIDs(ListAnswer(root, of: .searchList, decode: SearchResult.init)?.items.map(\.id))
      let items = ListAnswer(root, of: .playlistItemsList, decode: PlaylistItem.init)?.items ?? []
      try Self.claimIDs(items.map(\.videoID))
      try claim(items.allSatisfy { $0.position ?? 0 >= 0 }, "a place below zero")
      let videos = ListAnswer(root, of: .videosList, decode: Video.init)?.items ?? []
      try Self.claimIDs(videos.map(\.id))
      for video in videos {
        try claim(video.duration.flatMap(VideoDuration.seconds) ?? 0 >= 0, "a length below zero")
        let counts = [video.viewCount, video.likeCount, video.commentCount]
        try claim(counts.allSatisfy { $0 ?? 0 >= 0 }, "a count below zero")
      }
    }
  }

  // Ids go into queries, keys and addresses as they are.
  private static func claimIDs(_ ids: [String]?) throws {
    try claim((ids ?? []).allSatisfy { ResourceID.isPlausible($0) }, "an id that is none: \(ids ?? [])")
  }

  @Test func everyFailureIsClassifiedInOneCleanLineWithoutTheKey() {
    Fuzz.run { one in
      let tree = Self.failure(&one.random)
      let page = Array("<html><title>\(one.random.text())</title>\(Self.secret)\(one.random.text())".utf8)
      let bytes = one.given(one.random.chance(15) ? page : one.random.mutated(tree))
      let status = one.random.pick([200, 204, 301, 400, 401, 403, 404, 409, 429, 500, 503, one.random.number()])
      let header = one.random.chance(50) ? one.random.text() : "\(one.random.number())"
      let response = HTTPResponse(status: status, headers: [HTTPField("Retry-After", header)], body: bytes)
      let classifier = ErrorClassifier(secret: Secret(Self.secret))
      try Self.check(classifier.verdict(on: response).error)
      try Self.check(classifier.verdict(onMalformed: response, root: try? JSONDocument.parse(bytes).root).error)
      let text = String(decoding: bytes, as: UTF8.self)
      try Self.check(classifier.verdict(on: TransportError(.other, text)).error)
    }
  }

  private static func check(_ error: APIError) throws {
    try claim(error.message.unicodeScalars.count <= 501 && error.reason.unicodeScalars.count <= 101, "too long: \(error)")
    for text in [error.message, error.reason, error.domain ?? "", error.description] {
      let bytes = Array(text.utf8)
      try claim(bytes.firstRange(of: Array(Self.secret.utf8)) == nil, "the key is told: \(text)")
      let bad = text.unicodeScalars.first { [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory) }
      try claim(bad == nil, "a control character in \(text.debugDescription)")
    }
    if let delay = error.retryAfter { try claim(delay >= .zero && delay <= .seconds(300), "Retry-After \(delay)") }
  }

  @Test func retryAfterIsATimeOrNothing() {
    Fuzz.run { one in
      let usual = one.random.pick(["Sun, 06 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "120", "99999999999999999999", "-1"])
      let text = one.given(String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      for seconds in [0, 1_796_000_000, -1e18, 1e18] {
        if let delay = RetryAfter.duration(text, now: Date(timeIntervalSince1970: seconds)) { try claim(delay >= .zero, "\(delay)") }
      }
    }
  }

  @Test func durationsAreReadOrRefused() {
    Fuzz.run { one in
      let numbers = (0..<5).map { _ in abs(one.random.below(1000)) }
      let usual = "P\(numbers[0])W\(numbers[1])DT\(numbers[2])H\(numbers[3])M\(numbers[4])S"
      let wanted = numbers[0] * 604_800 + numbers[1] * 86_400 + numbers[2] * 3600 + numbers[3] * 60 + numbers[4]
      try claim(VideoDuration.seconds(one.given(usual)) == wanted, "not \(wanted)")
      let text = one.given(String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      if let seconds = VideoDuration.seconds(text) { try claim(seconds >= 0, "\(seconds)") }
    }
  }

  @Test func whatIsPercentEncodedReadsBackEqual() {
    Fuzz.run { one in
      let text = one.given(one.random.text())
      var encoded = ""
      PercentEncoding.append(text, to: &encoded)
      try claim(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) }, encoded)
      try claim(PercentEncoding.decoded(encoded, plusIsBlank: true).map { Array($0.utf8) } == Array(text.utf8), encoded)
      _ = PercentEncoding.decoded(text)
      _ = PlainText.unescaped(text)
    }
  }
}
