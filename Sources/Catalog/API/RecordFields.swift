import FoundationEssentials
import JSON
import Telemetry

/// Reads a record that came from outside: what is not as the API's document promises is left out.
struct RecordFields {
  private let root: JSONValue?

  init(_ record: [UInt8]?) { root = record.flatMap { try? JSONDocument.parse($0).root } }

  func text(_ key: StaticString) -> String? { root?[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  func truth(_ key: StaticString) -> Bool? { root?[key]?.bool }
  func count(_ key: StaticString) -> Int? { root?[key]?.count }
  func count(_ object: StaticString, _ key: StaticString) -> Int? { root?[object]?[key]?.count }
  func truth(_ object: StaticString, _ key: StaticString) -> Bool? { root?[object]?[key]?.bool }
  func time(_ key: StaticString) -> String? { Self.time(root?[key]) }
  func time(_ object: StaticString, _ key: StaticString) -> String? { Self.time(root?[object]?[key]) }

  func texts(_ key: StaticString) -> [String] { root?[key].map { $0.elements.compactMap(\.string) } ?? [] }

  private static func time(_ value: JSONValue?) -> String? {
    value?.string.flatMap { Timestamp.parse($0) }.map { Timestamp.rfc3339($0) }
  }

  struct Picture {
    let url: String
    let width: Int?
    let height: Int?

    func write(_ key: StaticString, to writer: inout JSONWriter) {
      writer.member(
        key,
        object: { writer in
          writer.member("url", url)
          writer.member("width", width)
          writer.member("height", height)
        })
    }
  }

  /// The largest picture that is at most so wide, or the smallest there is; only pictures that the page may load.
  func picture(upTo width: Int) -> Picture? {
    let pictures = (root?["thumbnails"]).map { thumbnails in
      thumbnails.members.compactMap { _, picture -> Picture? in
        guard let url = picture["url"]?.string, PictureHost.allows(url) else { return nil }
        return Picture(url: url, width: picture["width"]?.count, height: picture["height"]?.count)
      }
    }
    let known = (pictures ?? []).filter { ($0.width ?? 0) > 0 }.sorted { ($0.width ?? 0) < ($1.width ?? 0) }
    if let best = known.last(where: { ($0.width ?? 0) <= width }) ?? known.first { return best }
    if let any = pictures?.first { return any }
    return text("thumbnail").flatMap { PictureHost.allows($0) ? Picture(url: $0, width: nil, height: nil) : nil }
  }
}

/// Where YouTube's pictures are. The page's Content-Security-Policy allows the same hosts.
enum PictureHost {
  static let all = ["i.ytimg.com", "yt3.ggpht.com"]

  private static let longest = 2000

  /// An https address on one of the hosts, in characters that need no escaping.
  static func allows(_ url: String) -> Bool {
    guard url.utf8.count <= longest, let host = all.first(where: { url.hasPrefix("https://\($0)/") }) else { return false }
    return url.utf8.dropFirst("https://\(host)/".utf8.count).allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }
  }
}
