/// How sentences about a search name its parts: a message has members, a command line has flags.
public protocol SearchNaming {
  /// The words to search for, at the start of a sentence.
  static var query: String { get }
  /// The same, as what a search needs.
  static var aQuery: String { get }
  static var videosOnly: String { get }
  /// A part by its name in a message, such as `publishedAfter`.
  static func name(_ member: String) -> String
}

/// The names of a message's members, in quotes.
public enum SearchMemberNaming: SearchNaming {
  public static let query = name("query")
  public static let aQuery = "a \(query)"
  public static let videosOnly = #""type": ["video"]"#
  public static func name(_ member: String) -> String { "\"\(member)\"" }
}

extension SearchRequest {
  private static let longestQuery = 1000

  /// What is wrong with the request, as a sentence; `nil` when it can be sent to the API.
  public func problem(naming: any SearchNaming.Type = SearchMemberNaming.self) -> String? {
    queryProblem(naming) ?? parameterProblem(naming) ?? contradiction(naming)
  }

  private func queryProblem(_ naming: any SearchNaming.Type) -> String? {
    if query.utf8.count > Self.longestQuery { return "\(naming.query) has \(query.utf8.count) bytes; allowed are \(Self.longestQuery)." }
    if query.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "\(naming.query) holds line breaks or other control characters."
    }
    guard key.isEmpty else { return nil }
    let others = [SearchParameter.channelId, .topicId, .location, .eventType].map { naming.name($0.rawValue) }
    return "A search needs \(naming.aQuery), or one of \(others.joined(separator: ", ")) to go by."
  }

  private func parameterProblem(_ naming: any SearchNaming.Type) -> String? {
    guard 1...Self.mostResults ~= maxResults else { return "\(naming.name("maxResults")) must be 1 to \(Self.mostResults)." }
    for parameter in SearchParameter.allCases {
      guard let value = parameters[parameter], !parameter.accepts(value) else { continue }
      return "\(naming.name(parameter.rawValue)) must be \(parameter.allowed)."
    }
    return nil
  }

  /// Parameters that the API refuses together, or that leave nothing to be found.
  private func contradiction(_ naming: any SearchNaming.Type) -> String? {
    for parameter in SearchParameter.allCases where parameters[parameter] != nil && parameter.needsVideosOnly && kinds != [.video] {
      return "\(naming.name(parameter.rawValue)) needs \(naming.videosOnly) and no other type."
    }
    if (parameters[.location] == nil) != (parameters[.locationRadius] == nil) {
      return "\(naming.name("location")) and \(naming.name("locationRadius")) need each other."
    }
    if parameters[.channelType] != nil && !kinds.contains(.channel) {
      return "\(naming.name("channelType")) needs channel among the types."
    }
    if let publishedAfter, let publishedBefore, publishedAfter >= publishedBefore {
      return "\(naming.name("publishedAfter")) must be before \(naming.name("publishedBefore"))."
    }
    return options.scope == .video ? "\(naming.name("scope")) of a search must be details or uploads." : nil
  }
}
