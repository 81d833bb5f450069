import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry

/// What the store needs to know of a video record, and the record itself as it came.
struct VideoEntry: Sendable {
  let videoID: String
  var channelID: String?
  var published = VideoSelection.unknown
  var duration = VideoSelection.unknown
  var views = VideoSelection.unknown
  var isUnavailable: Bool
  /// Milliseconds since 1970.
  let fetched: Int
  var text: VideoText
  /// The search or the playlist that the record is a result of, and its place there.
  var found: (requestID: String, position: Int?, offset: Int)?
  let record: [UInt8]

  static let longestID = 64

  init(_ value: [UInt8], offset: Int64, timestamp: Int64?) throws(UnreadableRecord) {
    let root = try RecordJSON.object(value)
    guard let id = root["videoId"]?.string, !id.isEmpty, id.utf8.count <= Self.longestID else {
      throw UnreadableRecord("\"videoId\" is missing, empty or too long")
    }
    videoID = id
    channelID = (root["channelId"]?.string ?? Self.owner(root)).flatMap { $0.isEmpty || $0.utf8.count > Self.longestID ? nil : $0 }
    fetched = try RecordJSON.time("fetchedAt", of: root, sent: timestamp)
    if let time = RecordJSON.milliseconds(root["publishedAt"]) { published = Int((Double(time) / 1000).rounded(.down)) }
    duration = root["durationSeconds"]?.count ?? VideoSelection.unknown
    views = root["statistics"]?["viewCount"]?.count ?? VideoSelection.unknown
    let availability = root["availability"]?.string
    isUnavailable = availability == "private" || availability == "deleted"
    text = VideoText(root)
    if let source = root["source"]?.string, source == "search" || source == "playlist",
      let request = root["requestId"]?.string, RequestIDText.isUsable(request)
    {
      found = (request, root["position"]?.count, Int(offset))
    }
    record = value
  }

  /// Of a private or deleted upload the API tells no channel; the uploads list is named after its channel (UU… of UC…).
  private static func owner(_ root: JSONValue) -> String? {
    guard root["source"]?.string == "uploads", let list = root["playlistId"]?.string, list.hasPrefix("UU"), list.utf8.count == 24 else {
      return nil
    }
    return "UC" + list.dropFirst(2)
  }
}

/// The words of a video that can be searched for.
struct VideoText: Sendable {
  let title: String
  let description: String

  init(_ root: JSONValue) {
    title = root["title"]?.string ?? ""
    description = root["description"]?.string ?? ""
  }

  var isEmpty: Bool { title.isEmpty && description.isEmpty }

  /// Byte by byte: texts that Unicode holds to be equal may have other words.
  func isSame(as other: VideoText) -> Bool {
    title.utf8.elementsEqual(other.title.utf8) && description.utf8.elementsEqual(other.description.utf8)
  }
}

/// A record that is not what its topic promises.
struct UnreadableRecord: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

enum RecordJSON {
  /// A member that says when something happened, in milliseconds since 1970: never later than the message, since what has a time to come
  /// would stay for ever, and no record replace it.
  static func time(_ name: StaticString, of root: JSONValue, sent timestamp: Int64?) throws(UnreadableRecord) -> Int {
    let sent = timestamp.map { Int($0) }
    guard let time = milliseconds(root[name]) ?? sent else { throw UnreadableRecord("\"\(name)\" is missing or no time") }
    return min(time, sent ?? time)
  }

  static func object(_ bytes: [UInt8]) throws(UnreadableRecord) -> JSONValue {
    let document: JSONDocument
    do throws(JSONError) { document = try JSONDocument.parse(bytes) } catch { throw UnreadableRecord("no JSON: \(error.reason)") }
    guard document.root.kind == .object else { throw UnreadableRecord("no JSON object") }
    return document.root
  }

  /// A member that is a time.
  static func milliseconds(_ value: JSONValue?) -> Int? {
    value?.string.flatMap { Timestamp.parse($0) }.flatMap { Int(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
  }
}
