/// The parameters of a search that are texts, by the API's names. [search.list](https://developers.google.com/youtube/v3/docs/search/list)
public enum SearchParameter: String, Sendable, CaseIterable {
  case order, channelId, channelType, eventType, regionCode, relevanceLanguage, safeSearch, topicId, location, locationRadius
  case videoCaption, videoCategoryId, videoDefinition, videoDimension, videoDuration, videoEmbeddable, videoLicense,
    videoPaidProductPlacement, videoSyndicated, videoType

  /// The API takes it with `type=video` alone.
  public var needsVideosOnly: Bool {
    switch self {
    case .order, .channelId, .channelType, .regionCode, .relevanceLanguage, .safeSearch, .topicId: false
    default: true
    }
  }

  /// The words that the API knows; `nil` where it takes more than some words.
  public var words: [String]? {
    switch self {
    case .order: ["date", "rating", "relevance", "title", "videoCount", "viewCount"]
    case .channelType: ["any", "show"]
    case .eventType: ["completed", "live", "upcoming"]
    case .safeSearch: ["moderate", "none", "strict"]
    case .videoCaption: ["any", "closedCaption", "none"]
    case .videoDefinition: ["any", "high", "standard"]
    case .videoDimension: ["2d", "3d", "any"]
    case .videoDuration: ["any", "long", "medium", "short"]
    case .videoEmbeddable, .videoPaidProductPlacement, .videoSyndicated: ["any", "true"]
    case .videoLicense: ["any", "creativeCommon", "youtube"]
    case .videoType: ["any", "episode", "movie"]
    case .channelId, .regionCode, .relevanceLanguage, .topicId, .location, .locationRadius, .videoCategoryId: nil
    }
  }

  /// What a value has to be, for people.
  public var allowed: String {
    if let words { return "one of \(words.joined(separator: ", "))" }
    switch self {
    case .channelId: return "a channel id: UC and 22 letters, digits, - or _"
    case .regionCode: return "a country code of two letters, such as CH (ISO 3166-1)"
    case .relevanceLanguage: return "a language code such as de or zh-Hans"
    case .topicId: return "a topic id such as /m/04rlf"
    case .location: return "a latitude and a longitude such as 47.37,8.54"
    case .locationRadius: return "a distance with its unit m, km, ft or mi, at most 1000km"
    default: return "a number, the id of a video category"
    }
  }

  public func accepts(_ value: String) -> Bool {
    if let words { return words.contains(value) }
    let bytes = Array(value.utf8)
    switch self {
    case .channelId:
      return bytes.count == 24 && value.hasPrefix("UC") && bytes.allSatisfy { Self.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F }
    case .regionCode: return bytes.count == 2 && bytes.allSatisfy(Self.isLetter)
    case .relevanceLanguage:
      let parts = value.split(separator: "-", omittingEmptySubsequences: false)
      return (2...3).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy(Self.isLetter) && parts.count <= 3
        && parts.dropFirst().allSatisfy { (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isAlphanumeric) }
    case .topicId:
      return (4...64).contains(bytes.count) && (value.hasPrefix("/m/") || value.hasPrefix("/g/"))
        && bytes.dropFirst(3).allSatisfy { Self.isAlphanumeric($0) || $0 == 0x5F }
    case .location: return Self.isLocation(value)
    case .locationRadius: return Self.isRadius(value)
    default: return (1...4).contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  private static func isLocation(_ value: String) -> Bool {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = number(parts[0]), let longitude = number(parts[1]) else { return false }
    return abs(latitude) <= 90 && abs(longitude) <= 180
  }

  private static func isRadius(_ value: String) -> Bool {
    let units = [("km", 1000.0), ("mi", 1609.344), ("ft", 0.3048), ("m", 1.0)]
    guard let (unit, metres) = units.first(where: { value.hasSuffix($0.0) }), let count = number(value.dropLast(unit.count)) else {
      return false
    }
    return count > 0 && count * metres <= 1_000_000
  }

  // Digits only: Swift reads hexadecimal numbers and words, too.
  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.count <= 24, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }) else { return nil }
    return Double(text)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}
