import JSON
import TestSupport
import Testing

@testable import YouTubeAPI

/// Nothing that the API sends, and nothing that a person pastes, ends the process.
@Suite("Fuzzing", .timeLimit(.minutes(2)))
struct FuzzTests {
  static let own = [
    #"{"kind":"youtube#channelListResponse","items":[{"id":"UCx","statistics":{},"snippet":{"thumbnails":{"a":{"url":7}}}}]}"#,
    #"{"items":[{"id":{"kind":"youtube#video","videoId":"v"},"snippet":{"title":"&amp; &#39;","publishedAt":"2020-01-01T00:00:00Z"}}]}"#,
    #"{"error":{"code":429,"message":"<b>per day","errors":[{"reason":"rateLimitExceeded"}],"details":[{"reason":"X","metadata":{}}]}}"#,
    #"{"items":[{"contentDetails":{"videoId":"x","duration":"P3W3DT20H31M21S"},"status":{"privacyStatus":"private"}}]}"#,
  ].map { Array($0.utf8) }

  static let fragments = [
    "null", "[]", "{}", "\"\"", "-1", "1e999", "99999999999999999999", "true", "\\u0000", "\\ud800", "&#x110000;", "\u{0}", "\"", "}",
  ]
  .map { Array($0.utf8) }

  private func mutate(_ bytes: [UInt8], _ generator: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 1...12, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = .random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.replaceSubrange(place..<end, with: Self.fragments.randomElement(using: &generator) ?? [])
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes = Array(bytes[..<place])
      default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
    return bytes
  }

  private func decodeEverything(_ bytes: [UInt8], status: Int) {
    let response = HTTPResponse(
      status: status, headers: [HTTPField("Retry-After", String(decoding: bytes.prefix(30), as: UTF8.self))], body: bytes)
    let error = ErrorClassifier(secret: Secret("e")).verdict(on: response).error
    #expect(error.message.unicodeScalars.count <= 501 && error.reason.unicodeScalars.count <= 101)
    guard let root = try? JSONDocument.parse(bytes).root else { return }
    _ = ListAnswer(root, of: .channelsList, decode: Channel.init)
    _ = ListAnswer(root, of: .playlistItemsList, decode: PlaylistItem.init)
    for video in ListAnswer(root, of: .videosList, decode: Video.init)?.items ?? [] { _ = video.duration.map(VideoDuration.seconds) }
    _ = ListAnswer(root, of: .searchList, decode: SearchResult.init)
    _ = ErrorClassifier().verdict(onMalformed: response, root: root)
  }

  @Test func mutatedAnswersNeverEndTheProcess() throws {
    var generator = SeededRandom(seed: 1)
    var seeds = Self.own
    for name in Fixtures.names {
      let bytes = try Fixtures.bytes(name)
      if bytes.count < 20_000 { seeds.append(bytes) }
    }
    for seed in seeds { decodeEverything(seed, status: 200) }
    let statuses = [200, 400, 401, 403, 404, 409, 429, 500, 503]
    for _ in 0..<5000 {
      guard let seed = seeds.randomElement(using: &generator), let status = statuses.randomElement(using: &generator) else { return }
      decodeEverything(mutate(seed, &generator), status: status)
    }
  }

  @Test func mutatedReferencesParseOrAreRefused() throws {
    var generator = SeededRandom(seed: 2)
    let seeds = [
      "https://www.youtube.com/watch?v=BVGKskYZrw8&list=PLx", "https://youtu.be/BVGKskYZrw8?t=1", "@Google/videos",
      "UCK8sQmJBp8GCxrOtXWBpyEA",
      "https://www.youtube.com/@%D0%BA%D0%B8%D0%BD%D0%BE", "//m.youtube.com/c/x", "日本語 é👍",
      "youtube.com/attribution_link?u=%2Fwatch%3Fv%3Dx",
    ].map { Array($0.utf8) }
    for _ in 0..<20_000 {
      guard let seed = seeds.randomElement(using: &generator) else { return }
      let text = String(decoding: mutate(seed, &generator), as: UTF8.self)
      for form in ReferenceForm.allCases {
        guard let reference = try? Reference.parse(text, as: form, allowSearch: Bool.random(using: &generator)) else { continue }
        let key = reference.normalised
        #expect(!key.isEmpty && !key.unicodeScalars.contains("\0"))
        // The key names the same thing again, except for explicit forms that a bare text cannot express.
        if form == .url || form == .channel, !reference.isSearchText, reference == (try? Reference.parse(text)) {
          if case .id(let id) = reference, id.utf8.count != 24 { continue }
          #expect((try? Reference.parse(key))?.normalised == key, "\(text)")
        }
      }
    }
  }
}
