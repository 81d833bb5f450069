import JSON
import Messages
import TestSupport

/// Valid documents to begin with; their values are seldom usual.
enum Sample {
  static func options(_ random: inout Mutator) -> [JSONTree.Member] {
    var members: [JSONTree.Member] = []
    if random.chance(30) { members.append(.init("maxVideos", .int(random.number()))) }
    if random.chance(30) { members.append(.init("publishedAfter", .string(time(&random)))) }
    if random.chance(30) { members.append(.init("enrich", .bool(random.chance(50)))) }
    if random.chance(30) { members.append(.init("scope", .string(random.pick(["uploads", "details", "video", ""])))) }
    if random.chance(20) { members.append(.init("allowSearch", .bool(random.chance(80)))) }
    if random.chance(10) { members.append(.init("expiresAt", .string(time(&random)))) }
    if random.chance(20) { members.append(.init("since", .string(random.pick(["last", "first"])))) }
    if random.chance(20) { members.append(.init(random.text(), random.tree(depth: 2))) }
    return members
  }

  /// RFC 3339, or nearly.
  static func time(_ random: inout Mutator) -> String {
    let fraction = random.pick(["", "", ".5", ".999", ".9999999", ".000000001"])
    let zone = random.pick(["Z", "Z", "z", "+01:00", "-23:59", "+23:59"])
    func two(_ limit: Int, from first: Int = 0) -> String {
      let number = random.chance(10) ? first + limit - 1 : first + random.below(limit)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    let year = random.pick(["2026", "2015", "0000", "9999", "1969", "1970", "2024", "1900"])
    return "\(year)-\(two(12, from: 1))-\(two(30, from: 1))\(random.pick(["T", "t"]))\(two(24)):\(two(60)):\(two(61))\(fraction)\(zone)"
  }

  static func id(_ random: inout Mutator) -> String {
    random.pick(["UCK8sQmJBp8GCxrOtXWBpyEA", "UUK8sQmJBp8GCxrOtXWBpyEA", "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "BVGKskYZrw8", "x"])
  }

  static func reference(_ random: inout Mutator) -> String {
    let name = random.chance(40) ? random.text() : random.pick(["Google", "google-dev", "日本語", "é", "İstanbul", "ΑΣ", "Straße", "a b"])
    return random.pick([
      "@\(name)", name, "https://www.youtube.com/@\(name)", "youtube.com/c/\(name)", "//m.youtube.com/user/\(name)", "c/\(name)",
      "user/\(name)", "https://youtu.be/\(id(&random))?t=\(name)", "https://www.youtube.com/watch?v=\(id(&random))&list=\(name)",
      "watch?v=\(id(&random))", "playlist?list=\(id(&random))", "www.youtube.com/channel/\(id(&random))/\(name)", id(&random),
      "youtube.com/attribution_link?u=%2Fwatch%3Fv%3D\(id(&random))", "'<\"\(name)\">'", "\"'\(name)'\"",
      "HTTPS://YOUTUBE.COM:443/\(name)#x",
      "https://youtube.com/%40\(name)", "https://a:b@youtube.com/\(name)", "youtube.com./shorts/\(id(&random))",
    ])
  }

  static func channelRequest(_ random: inout Mutator) -> JSONTree {
    let form = random.pick(["channel", "id", "handle", "username", "url", "video", "playlist"])
    var members: [JSONTree.Member] = [.init(form, .string(random.chance(20) ? random.text() : reference(&random)))]
    if random.chance(50) { members.append(.init("requestId", .string(random.chance(30) ? random.text() : "r-1"))) }
    return .object(members + options(&random))
  }

  static func searchRequest(_ random: inout Mutator) -> JSONTree {
    var members: [JSONTree.Member] = [.init("query", .string(random.chance(30) ? random.text() : "swift kafka"))]
    let types = random.pick([["video"], ["video"], ["channel"], ["channel", "video", "playlist"], ["person"], []])
    if random.chance(70) { members.append(.init("type", .array(types.map { .string($0) }))) }
    if random.chance(50) { members.append(.init("requestId", .string(random.chance(30) ? random.text() : "r-1"))) }
    if random.chance(40) { members.append(.init("maxResults", .int(random.chance(50) ? 1 + random.below(500) : random.number()))) }
    if random.chance(20) { members.append(.init("publishedBefore", .string(time(&random)))) }
    for parameter in SearchParameter.allCases where random.chance(8) {
      let usual = ["location": "47.5,-8.5", "locationRadius": "5km", "channelId": id(&random), "topicId": "/m/04rlf", "regionCode": "CH"]
      let value = parameter.words.map { random.pick($0) } ?? usual[parameter.rawValue] ?? "28"
      members.append(.init(parameter.rawValue, .string(random.chance(10) ? random.text() : value)))
    }
    return .object(members + options(&random))
  }

  static func searchContinuation(_ random: inout Mutator) -> JSONTree {
    let seen = (0..<random.below(4)).map { _ in JSONTree.string(id(&random)) }
    return .object(
      (searchRequest(&random).members ?? []).filter { $0.key != "requestId" } + [
        .init("requestId", "r-7"), .init("pageToken", .string(random.chance(80) ? "CDIQAA" : random.text())),
        .init("pageNumber", .int(random.number())), .init("totals", totals(&random)), .init("enrichments", .int(random.number())),
        .init("found", counts(&random)), .init("seen", .array(seen)), .init("read", .int(random.number())),
        .init("barren", .int(random.below(4))),
      ])
  }

  static func counts(_ random: inout Mutator) -> JSONTree {
    ["channels": .int(random.number()), "videos": .int(abs(random.below(600))), "playlists": 0]
  }

  static func totals(_ random: inout Mutator) -> JSONTree {
    ["pages": .int(random.number()), "items": .int(random.number()), "units": .int(abs(random.below(1 << 30)))]
  }

  static func thumbnails(_ random: inout Mutator) -> JSONTree {
    ["default": ["url": .string(random.text()), "width": .int(random.number()), "height": 90], "x": ["url": "u"]]
  }

  static func channelDetails(_ random: inout Mutator) -> JSONTree {
    [
      "requestId": "r-7", "reference": .string(random.text()), "resolvedBy": .string(random.pick(["id", "handle", "search", "?"])),
      "channelId": .string(id(&random)), "title": .string(random.text()), "description": .string(random.text()), "customUrl": "@google",
      "publishedAt": .string(time(&random)), "country": "US", "thumbnails": thumbnails(&random), "uploadsPlaylistId": .string(id(&random)),
      "statistics": ["viewCount": .int(random.number()), "hiddenSubscriberCount": false, "videoCount": .int(random.number())],
      "totals": totals(&random), "options": .object(options(&random)), "fetchedAt": .string(time(&random)), "etag": "e",
    ]
  }

  static func listing(_ random: inout Mutator) -> [JSONTree.Member] {
    [
      .init("requestId", "r-7"), .init("reference", .string(random.text())),
      .init("source", .string(random.pick(["uploads", "playlist", "search", "video"]))), .init("playlistId", .string(id(&random))),
      .init("channelId", .string(id(&random))), .init("channelTitle", .string(random.text())), .init("totals", totals(&random)),
      .init("enrichments", .int(random.number())), .init("options", .object(options(&random))),
    ]
  }

  static func playlistRequest(_ random: inout Mutator) -> JSONTree {
    .object(listing(&random) + [.init("pageToken", .string(random.text())), .init("pageNumber", .int(random.number()))])
  }

  static func playlistPage(_ random: inout Mutator) -> JSONTree {
    let items = (0..<random.below(4)).map { position -> JSONTree in
      [
        "videoId": .string(random.chance(20) ? random.text() : id(&random)), "position": .int(position), "title": .string(random.text()),
        "addedAt": .string(time(&random)), "publishedAt": .string(time(&random)),
        "availability": .string(random.pick(["public", "unlisted", "private", "deleted", "?"])), "thumbnails": thumbnails(&random),
      ]
    }
    return .object(
      listing(&random) + [
        .init("pageNumber", .int(random.number())), .init("totalResults", .int(random.number())), .init("items", .array(items)),
        .init("last", .bool(random.chance(50))), .init("truncatedBy", .string(random.pick(["ceiling", "maxVideos", ""]))),
      ])
  }

  static func requestControl(_ random: inout Mutator) -> JSONTree {
    ["requestId": .string(random.text()), "type": .string(random.pick(["cancel", "cancel", "go"])), "at": .string(time(&random))]
  }

  static func requestEvent(_ random: inout Mutator) -> JSONTree {
    [
      "requestId": .string(random.text()), "type": .string(random.pick(["page", "completed", "failed", "?"])), "stage": "videos",
      "at": .string(time(&random)), "reference": .string(random.text()), "pageNumber": .int(random.number()),
      "records": .int(random.number()), "videoCount": .int(random.number()), "totals": totals(&random), "truncatedBy": "since",
      "found": counts(&random), "results": [["position": .int(random.number()), "channelId": .string(id(&random)), "requestId": "r/1"]],
      "error": ["code": .string(random.text()), "message": .string(random.text())],
    ]
  }
}
