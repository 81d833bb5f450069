/// An address on YouTube, taken apart by path segments.
struct ReferenceURL {
  private let isShortHost: Bool
  private let segments: [String]
  private let query: [HTTPField]

  /// `nil` if the text is no URL but may be a name; an error if it is a URL of another site.
  init?(_ text: String) throws(ReferenceError) {
    var rest = text[...]
    let hasScheme = try Self.dropScheme(&rest)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = try Self.host(authority, of: text)
    if Self.isYouTube(host) || host == "youtu.be" || host == "www.youtu.be" {
      rest = rest.dropFirst(authority.count)
      isShortHost = host.hasSuffix("youtu.be")
    } else if hasScheme {
      throw .unknown("The address is on another site than YouTube.")
    } else if text.hasPrefix("/") || Self.isPathStart(authority.lowercased()) && authority.count < text.count {
      isShortHost = false
    } else if text.contains("/") || text.contains("://") {
      throw .unknown("The text is no address on YouTube.")
    } else {
      return nil
    }
    (segments, query) = try Self.parts(rest)
  }

  private init(path: Substring) throws(ReferenceError) {
    isShortHost = false
    (segments, query) = try Self.parts(path)
  }

  func reference() throws(ReferenceError) -> Reference {
    guard let first = segments.first else {
      throw .unknown("The address is YouTube's home page, and names no channel.")
    }
    if first.hasPrefix("@") { return try Reference.parseHandle(first) }
    let second = segments.count > 1 ? segments[1] : nil
    switch first.lowercased() {
    case "channel": return .id(try id(second, "channel"))
    case "c": return .customName(try name(second))
    case "user": return .username(try name(second))
    case "profile": return .username(try name(value("user")))
    case "watch", "watch_popup": return try watched(second)
    case "playlist": return .playlist(try id(value("list"), "playlist"))
    case "view_play_list": return .playlist(try id(value("p") ?? value("list"), "playlist"))
    case "embed": return try embedded(second)
    case "shorts", "live", "v", "e", "vi": return .video(try id(second, "video"))
    case "attribution_link": return try linked(value("u"))
    default: break
    }
    if isShortHost { return .video(try id(first, "video")) }
    return .name(try name(Self.isReserved(first) ? nil : first))
  }

  // A video of a list is a video; a watch address may also name only the list.
  private func watched(_ second: String?) throws(ReferenceError) -> Reference {
    if value("v") == nil && second == nil, let list = value("list") { return .playlist(try id(list, "playlist")) }
    return .video(try id(value("v") ?? second, "video"))
  }

  private func embedded(_ second: String?) throws(ReferenceError) -> Reference {
    switch second {
    case "videoseries": .playlist(try id(value("list"), "playlist"))
    case "live_stream": .id(try id(value("channel"), "channel"))
    default: .video(try id(second, "video"))
    }
  }

  // The target is a path on YouTube, and no further attribution link.
  private func linked(_ target: String?) throws(ReferenceError) -> Reference {
    guard let target, target.hasPrefix("/"), !target.hasPrefix("//") else { throw .unknown("The attribution link has no target.") }
    let url = try ReferenceURL(path: target[...])
    guard url.segments.first?.lowercased() != "attribution_link" else { throw .unknown("The attribution link leads to another.") }
    return try url.reference()
  }

  private func value(_ name: String) -> String? { query.first { $0.name == name && !$0.value.isEmpty }?.value }

  private func id(_ text: String?, _ kind: String) throws(ReferenceError) -> String {
    guard let text, ResourceID.isPlausible(text) else { throw .unknown("The address holds no \(kind) id.") }
    return text
  }

  private func name(_ text: String?) throws(ReferenceError) -> String {
    guard let text, NameText.isName(text) else { throw .unknown("The address is a page of YouTube that names no channel.") }
    return text
  }

  private static func dropScheme(_ rest: inout Substring) throws(ReferenceError) -> Bool {
    let scheme = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let after = rest.dropFirst(scheme.count)
    if !scheme.isEmpty && after.hasPrefix("://") {
      guard ["http", "https"].contains(scheme.lowercased()) else { throw .unknown("The address is no web address.") }
      rest = after.dropFirst(3)
      return true
    }
    guard rest.hasPrefix("//") else { return false }
    rest = rest.dropFirst(2)
    return true
  }

  // User information before an @ is not the host, whatever it looks like.
  private static func host(_ authority: Substring, of text: String) throws(ReferenceError) -> String {
    var host = authority
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      host = host[..<colon]
    }
    if host.hasSuffix(".") { host = host.dropLast() }
    return host.lowercased()
  }

  private static func isYouTube(_ host: String) -> Bool {
    host == "youtube.com" || host.hasSuffix(".youtube.com") || host == "youtube-nocookie.com" || host == "www.youtube-nocookie.com"
  }

  private static func isPathStart(_ segment: String) -> Bool {
    ["channel", "c", "user", "watch", "playlist", "shorts", "live", "embed"].contains(segment)
  }

  private static func parts(_ text: Substring) throws(ReferenceError) -> ([String], [HTTPField]) {
    let withoutFragment = text.prefix { $0 != "#" }
    let path = withoutFragment.prefix { $0 != "?" }
    var segments: [String] = []
    for segment in path.split(separator: "/") {
      guard let decoded = PercentEncoding.decoded(segment), !decoded.unicodeScalars.contains("\0") else {
        throw .unknown("The address holds broken UTF-8.")
      }
      segments.append(decoded)
    }
    var query: [HTTPField] = []
    for pair in withoutFragment.dropFirst(path.count).dropFirst().split(whereSeparator: { $0 == "&" || $0 == ";" }) {
      let name = pair.prefix { $0 != "=" }
      guard let value = PercentEncoding.decoded(pair.dropFirst(name.count).dropFirst(), plusIsBlank: true) else { continue }
      query.append(HTTPField(PercentEncoding.decoded(name) ?? String(name), value))
    }
    return (segments, query)
  }

  /// First segments that belong to YouTube itself.
  private static func isReserved(_ segment: String) -> Bool {
    let lower = segment.lowercased()
    // As in a host, a dot at the end changes nothing.
    let name = lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    if isYouTube(name) || name.hasSuffix("youtu.be") { return true }
    return reserved.contains(name) || [".php", ".txt", ".html", ".ico", ".xml", ".json", ".js"].contains { name.hasSuffix($0) }
  }

  private static let reserved: Set<String> = [
    "about", "account", "ads", "api", "app", "attribution", "browse", "captions", "clip", "comment", "contact", "copyright",
    "create_channel",
    "creators", "culture-and-trends", "dashboard", "download", "error", "explore", "fashion", "feed", "feeds", "gaming", "get_video",
    "get_video_info", "hashtag", "history", "howyoutubeworks", "iframe_api", "intl", "jobs", "kids", "learning", "library", "live_chat",
    "login", "logout", "messages", "movies", "music", "my_videos", "new", "news", "notifications", "oembed", "oops", "originals",
    "paid_memberships", "playables", "podcasts", "post", "premium", "press", "purchases", "redirect", "reporthistory", "results", "rss",
    "s", "search", "shopping", "show", "shows", "signin", "signup", "source", "sports", "subscription_center", "subscriptions",
    "supported_browsers", "t",
    "testtube", "trending", "trends", "tv", "upload", "verify", "video", "videos", "watch_videos", "yt", "youtubei",
  ]
}
