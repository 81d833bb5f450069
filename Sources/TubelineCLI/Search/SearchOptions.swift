import Messages
import Telemetry
import WorkerApp

/// What a search is asked for, and how its results are shown.
struct SearchOptions: Sendable {
  var request: SearchRequest
  let requestID: String
  var waits: Bool
  var wantsFirstVideo: Bool
  var timeout: Duration?
  /// `nil`: a table in a terminal, JSON lines elsewhere.
  var format: RecordFormatter.Format?
  var isRawCSV: Bool
  var backend: BackendWishes

  static let flags: [OptionSpecification] =
    [
      OptionSpecification("--type", "TYPE,…", "channel, video, playlist, or several. Default: channel; with --first-video: video."),
      OptionSpecification("--max-results", "N", "1 to 500, 50 a page; each page is one of the day's searches. Default: 50."),
      OptionSpecification("--published-after", "TIME", "Only what was published since this date (2026-01-31) or RFC 3339 time."),
      OptionSpecification("--published-before", "TIME", "Only what was published before it."),
    ]
    + SearchParameter.allCases.map { parameter in
      let text = parameter.allowed + "."
      return OptionSpecification(flag(parameter), "VALUE", text.prefix(1).uppercased() + text.dropFirst())
    } + [
      OptionSpecification("--scope", "details|uploads", "What is wanted of found channels. Default: details, one unit for 50 of them."),
      RequestFlags.maxVideos, RequestFlags.noEnrich,
      OptionSpecification("--expires-at", "TIME", "After this time no search and no unit is spent on the request."),
      OptionSpecification("--request-id", "ID", "The id of the request. Default: a new one."),
      OptionSpecification("--wait", "Show the results as they come, in the order of the search, until all are there."),
      OptionSpecification("--first-video", "Wait for the first playable video in the order of the search, and print its address."),
      OptionSpecification("--timeout", "DURATION", "With --wait or --first-video: exit code 1 when it takes longer. Default: none."),
      OptionSpecification("--format", "jsonl|csv|table", "With --wait. Default: table in a terminal, jsonl elsewhere."),
      OptionSpecification("--raw-csv", "csv: free text as it is, even where a spreadsheet would run it as a formula."),
      OptionSpecification("--demo", "Without a cluster: search the built-in API double even though an API key is set."),
      OptionSpecification("--recordings", "DIR", "Let the API double serve the recorded answers in DIR (implies --demo)."),
    ]

  /// `--video-duration` of `videoDuration`.
  static func flag(_ parameter: SearchParameter) -> String { SearchFlagNaming.name(parameter.rawValue) }

  init(_ arguments: ParsedArguments, environment: [String: String]) throws(UsageError) {
    wantsFirstVideo = arguments.has("--first-video")
    waits = arguments.has("--wait") || wantsFirstVideo
    let kinds = try Self.kinds(arguments) ?? [wantsFirstVideo ? .video : .channel]
    request = SearchRequest(
      query: arguments.operands.joined(separator: " "), kinds: kinds,
      maxResults: try arguments.number("--max-results", in: 1...SearchRequest.mostResults) ?? SearchRequest.standardResults)
    request.publishedAfter = try arguments.time("--published-after")
    request.publishedBefore = try arguments.time("--published-before")
    for parameter in SearchParameter.allCases {
      guard let value = arguments.values[Self.flag(parameter)] else { continue }
      guard parameter.accepts(value) else {
        throw UsageError("\(Self.flag(parameter)) must be \(parameter.allowed); it is \"\(VisibleText.of(value))\".")
      }
      request.parameters[parameter] = value
    }
    request.options.scope = try arguments.word("--scope") ?? .details
    request.options.maxVideos = try arguments.number("--max-videos", in: 1...(1 << 53))
    request.options.enrich = !arguments.has("--no-enrich")
    request.options.expiresAt = try arguments.time("--expires-at")
    requestID = arguments.values["--request-id"] ?? RequestMessage.newID()
    request.requestID = requestID
    timeout = try Self.timeout(arguments)
    format = try arguments.word("--format")
    isRawCSV = arguments.has("--raw-csv")
    let servers = arguments.settings[Setting.kafkaServers.variable] ?? environment[Setting.kafkaServers.variable]
    backend = BackendWishes(
      bootstrapServers: servers?.isEmpty == true ? nil : servers, recordings: arguments.values["--recordings"],
      isDemo: arguments.has("--demo") || arguments.values["--recordings"] != nil)
    try check(arguments)
  }

  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if let problem = request.problem(naming: SearchFlagNaming.self) { throw UsageError(problem) }
    if !RequestMessage.isUsable(id: requestID) {
      throw UsageError("--request-id needs 1 to \(RequestIDText.limit) bytes without control characters.")
    }
    if wantsFirstVideo && !request.kinds.contains(.video) { throw UsageError("--first-video needs video among the types.") }
    if wantsFirstVideo && arguments.has("--wait") { throw UsageError("--wait and --first-video exclude each other.") }
    // What --first-video prints is one address.
    let formatted = arguments.values["--format"] != nil ? "--format" : isRawCSV ? "--raw-csv" : nil
    if let formatted, wantsFirstVideo || !waits { throw UsageError("\(formatted) goes with --wait.") }
    if timeout != nil && !waits { throw UsageError("--timeout goes with --wait or --first-video.") }
    if backend.isDemo && (!waits || backend.bootstrapServers != nil) {
      throw UsageError("--demo and --recordings go with --wait or --first-video, and without a cluster.")
    }
  }

  private static func kinds(_ arguments: ParsedArguments) throws(UsageError) -> [SearchRequest.Kind]? {
    guard let text = arguments.values["--type"] else { return nil }
    var kinds: [SearchRequest.Kind] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = SearchRequest.Kind(rawValue: String(word)) else {
        let words = SearchRequest.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--type must hold nothing but \(words); it is \"\(VisibleText.of(text))\".")
      }
      kinds.append(kind)
    }
    return kinds
  }

  private static func timeout(_ arguments: ParsedArguments) throws(UsageError) -> Duration? {
    guard let text = arguments.values["--timeout"] else { return nil }
    guard let timeout = SettingValue.duration(text), timeout > .zero else {
      throw UsageError("--timeout must be a duration such as 20s or 5m; it is \"\(VisibleText.of(text))\".")
    }
    return timeout
  }

  /// The stages that the request needs, and no others.
  var stages: [StageName] {
    let kinds = request.kinds
    let listsUploads = kinds.contains(.playlist) || (kinds.contains(.channel) && request.options.scope == .uploads)
    var stages: [StageName] = [.search]
    if wantsFirstVideo { return stages + [.videos] }
    if kinds != [.video] { stages.append(.channels) }
    if listsUploads { stages.append(.playlists) }
    if listsUploads || kinds.contains(.video) { stages.append(.videos) }
    return stages
  }
}

/// The names of a search's flags.
enum SearchFlagNaming: SearchNaming {
  static let query = "The query"
  static let aQuery = "words to search for"
  static let videosOnly = "--type video"

  static func name(_ member: String) -> String {
    "--" + member.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }
}
