/// An address of the API.
enum Route: Equatable {
  case catalogue, channels, videos, search, requests, quota, pipeline, events, session, description
  case channel(String)
  case channelVideos(String)
  case video(String)
  case like(String)
  case searchVideos(String)
  case searchChannels(String)
  case request(String)

  /// - Parameter path: decoded, so a request's id may bring slashes of its own.
  init?(_ path: String) {
    guard path.hasPrefix("/api/") else { return nil }
    let rest = path.dropFirst(5)
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    switch (parts.first ?? "", parts.count) {
    case ("catalogue", 1): self = .catalogue
    case ("channels", 1): self = .channels
    case ("videos", 1): self = .videos
    case ("search", 1): self = .search
    case ("requests", 1): self = .requests
    case ("quota", 1): self = .quota
    case ("pipeline", 1): self = .pipeline
    case ("events", 1): self = .events
    case ("session", 1): self = .session
    case ("openapi.json", 1): self = .description
    case ("channels", 2): self = .channel(parts[1])
    case ("channels", 3) where parts[2] == "videos": self = .channelVideos(parts[1])
    case ("videos", 2): self = .video(parts[1])
    case ("videos", 3) where parts[2] == "like": self = .like(parts[1])
    case ("requests", 2...): self = .request(String(rest.dropFirst("requests/".count)))
    case ("searches", 3...) where parts.last == "videos": self = .searchVideos(Self.middle(rest, "/videos"))
    case ("searches", 3...) where parts.last == "channels": self = .searchChannels(Self.middle(rest, "/channels"))
    default: return nil
    }
  }

  private static func middle(_ rest: Substring, _ end: String) -> String {
    String(rest.dropFirst("searches/".count).dropLast(end.count))
  }

  var methods: [String] {
    switch self {
    case .requests: ["GET", "HEAD", "POST"]
    case .request: ["GET", "HEAD", "DELETE"]
    case .like: ["PUT", "DELETE"]
    case .session: ["GET", "HEAD", "POST", "DELETE"]
    default: ["GET", "HEAD"]
    }
  }

  /// One of each, without ids.
  static let all: [Route] = [
    .catalogue, .channels, .videos, .search, .requests, .quota, .pipeline, .events, .session, .description, .channel(""),
    .channelVideos(""), .video(""), .like(""), .searchVideos(""), .searchChannels(""), .request(""),
  ]

  /// Of answers to those who ask for what there is.
  var expectedStatuses: [Int] {
    switch self {
    case .requests, .request: [200, 202]
    default: [200]
    }
  }

  /// As metrics call it: without ids.
  var name: String {
    switch self {
    case .catalogue: "catalogue"
    case .channels: "channels"
    case .videos: "videos"
    case .search: "search"
    case .requests: "requests"
    case .quota: "quota"
    case .pipeline: "pipeline"
    case .events: "events"
    case .session: "session"
    case .description: "openapi"
    case .channel: "channel"
    case .channelVideos: "channel-videos"
    case .video: "video"
    case .like: "like"
    case .searchVideos: "search-videos"
    case .searchChannels: "search-channels"
    case .request: "request"
    }
  }
}
