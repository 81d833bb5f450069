import JSON
import Messages

/// What CONTRACT.md promises of a topic's messages: fields with their forms, key, headers.
struct MessageContract: Sendable {
  enum Form: Sendable {
    case text, string, count, flag, time, object, list, texts
    case word([String])

    func fits(_ value: JSONTree) -> Bool {
      switch (self, value) {
      case (.text, .string(let text)): !text.isEmpty
      case (.count, .int(let number)): number >= 0
      case (.flag, .bool), (.object, .object), (.list, .array), (.string, .string): true
      case (.time, .string(let text)): Self.isTime(text)
      case (.texts, .array(let elements)): !elements.isEmpty && elements.allSatisfy { $0.string != nil }
      case (.word(let words), .string(let text)): words.contains(text)
      default: false
      }
    }

    private static func isTime(_ text: String) -> Bool {
      guard text.hasSuffix("Z"), text.utf8.count >= 20 else { return false }
      let pattern = "dddd-dd-ddTdd:dd:dd"
      return zip(text, pattern).allSatisfy { $1 == "d" ? $0.isNumber && $0.isASCII : $0 == $1 }
        && text.dropFirst(pattern.count).dropLast().allSatisfy { $0 == "." || $0.isNumber }
    }
  }

  let topic: Topic
  let type: String
  let source: String
  let key: String
  let required: [String: Form]
  let optional: [String: Form]

  /// Every way in which a message breaks the contract.
  func problems(_ message: SeenMessage, trace: String) -> [String] {
    guard let json = message.json, let members = json.members else { return ["no JSON object"] }
    var problems: [String] = []
    for (name, form) in required where json[name].map(form.fits) != true { problems.append("\(name): \(json[name] ?? .null)") }
    for (name, form) in optional where json[name].map(form.fits) == false { problems.append("\(name): \(json[name] ?? .null)") }
    for member in members {
      if required[member.key] == nil && optional[member.key] == nil { problems.append("\(member.key) is in no contract") }
      problems += Self.nulls(member.value).map { "null in \(member.key)\($0)" }
    }
    if message.key == nil || message.key != json[key]?.string { problems.append("key \(message.key ?? "none")") }
    return problems + headerProblems(message, trace)
  }

  private func headerProblems(_ message: SeenMessage, _ trace: String) -> [String] {
    let traceparent = message.header("traceparent") ?? ""
    let facts: [(String, Bool)] = [
      ("ce_specversion", message.header("ce_specversion") == "1.0"),
      ("ce_id", message.header("ce_id")?.isEmpty == false),
      ("ce_source", source.split(separator: "|").contains { message.header("ce_source") == "tubeline/\($0)" }),
      ("ce_type", message.header("ce_type") == "tubeline.\(type).v1"),
      ("ce_time", Form.time.fits(.string(message.header("ce_time") ?? ""))),
      ("content-type", message.header("content-type") == "application/json"),
      ("traceparent", traceparent.hasPrefix("00-\(trace)-") && !traceparent.contains("b7ad6b7169203331")),
      ("x-mine", message.header("x-mine") == "1"),
    ]
    return facts.filter { !$0.1 }.map { "header \($0.0): \(message.header($0.0) ?? "none")" }
  }

  private static func nulls(_ value: JSONTree) -> [String] {
    switch value {
    case .null: [""]
    case .object(let members): members.flatMap { member in nulls(member.value).map { ".\(member.key)\($0)" } }
    case .array(let elements): elements.flatMap(nulls)
    default: []
    }
  }
}

extension MessageContract {
  static let all = [channelDetails, playlistPage, playlistRequest, videoRecord, requestEvent]

  private static let sources = Form.word(["uploads", "playlist", "search", "video"])

  static let channelDetails = MessageContract(
    topic: .channelDetails, type: "channel-details", source: "channels", key: "channelId",
    required: [
      "requestId": .text, "reference": .text, "resolvedBy": .word(["id", "handle", "username", "video", "search"]), "channelId": .text,
      "title": .text, "uploadsPlaylistId": .text, "statistics": .object, "options": .object, "fetchedAt": .time,
    ],
    optional: [
      "description": .string, "customUrl": .text, "publishedAt": .time, "country": .text, "thumbnails": .object, "thumbnail": .text,
      "etag": .text, "totals": .object,
    ])

  static let playlistRequest = MessageContract(
    topic: .playlistRequests, type: "playlist-request", source: "channels|playlists", key: "playlistId",
    required: ["requestId": .text, "playlistId": .text, "source": sources, "pageNumber": .count, "totals": .object, "options": .object],
    optional: [
      "channelId": .text, "pageToken": .text, "reference": .text, "channelTitle": .text, "enrichments": .count, "startedAt": .time,
      "newest": .object, "refresh": .object,
    ])

  static let playlistPage = MessageContract(
    topic: .playlistPages, type: "playlist-page", source: "playlists", key: "playlistId",
    required: [
      "requestId": .text, "source": sources, "playlistId": .text, "channelId": .text, "pageNumber": .count, "totalResults": .count,
      "last": .flag, "totals": .object, "options": .object,
    ],
    optional: [
      "items": .list, "reference": .text, "channelTitle": .text, "enrichments": .count, "startedAt": .time, "newest": .object,
      "fullPass": .flag,
      "truncatedBy": .word(["ceiling", "maxVideos", "publishedAfter", "since"]),
    ])

  static let videoRecord = MessageContract(
    topic: .videoRecords, type: "video-record", source: "videos", key: "videoId",
    required: [
      "videoId": .text, "url": .text, "availability": .word(["public", "unlisted", "private", "deleted", "unknown"]), "source": sources,
      "requestId": .text, "fetchedAt": .time,
    ],
    optional: [
      "channelId": .text, "channelTitle": .text, "title": .text, "description": .string, "publishedAt": .time, "addedAt": .time,
      "playlistId": .text, "position": .count, "thumbnail": .text, "thumbnails": .object, "duration": .text, "durationSeconds": .count,
      "definition": .text, "captions": .flag, "tags": .texts, "categoryId": .text, "defaultLanguage": .text, "defaultAudioLanguage": .text,
      "liveBroadcastContent": .text, "liveStreamingDetails": .object, "madeForKids": .flag, "embeddable": .flag, "license": .text,
      "statistics": .object, "etag": .text,
    ])

  static let requestEvent = MessageContract(
    topic: .requestEvents, type: "request-event", source: "channels|playlists|videos", key: "requestId",
    required: [
      "requestId": .text, "stage": .word(["channels", "playlists", "videos"]), "at": .time,
      "type": .word(["resolved", "page", "pageFailed", "completed", "notFound", "failed", "cancelled", "expired", "rejected"]),
    ],
    optional: [
      "channelId": .text, "playlistId": .text, "pageNumber": .count, "records": .count, "available": .count, "unavailable": .count,
      "reference": .text, "totals": .object, "truncatedBy": .text, "error": .object, "title": .text, "videoCount": .count,
    ])
}
