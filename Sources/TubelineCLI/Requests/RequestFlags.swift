import Messages

/// The flags that say what a request asks for.
enum RequestFlags {
  static let from = OptionSpecification("--from", "FILE", "Names from a file, one a line; # begins a comment line.")
  static let maxVideos = OptionSpecification("--max-videos", "N", "At most N entries of each list.")
  static let publishedAfter = OptionSpecification("--published-after", "TIME", "Only videos since this date (2026-01-31) or RFC 3339 time.")
  static let since = OptionSpecification("--since", "last", "Only what is new since the last completed request for the same uploads.")
  static let noEnrich = OptionSpecification("--no-enrich", "No videos.list calls: no durations, statistics and tags; half the units.")
  static let allowSearch = OptionSpecification("--allow-search", "A name that is neither handle nor user name may cost a search.")
  static let all = [
    from, maxVideos, publishedAfter, since, noEnrich, allowSearch,
    OptionSpecification("--scope", "uploads|details|video", "The channel and its uploads (the default), the channel alone, or one video."),
    OptionSpecification("--expires-at", "TIME", "After this time no unit is spent on the request."),
  ]

  private enum Since: String, CaseIterable { case last }

  static func options(_ arguments: ParsedArguments) throws(UsageError) -> RequestOptions {
    var options = RequestOptions()
    options.maxVideos = try arguments.number("--max-videos", in: 1...1_000_000_000)
    options.publishedAfter = try arguments.time("--published-after")
    options.since = try (arguments.word("--since") as Since?)?.rawValue
    options.enrich = !arguments.has("--no-enrich")
    options.allowSearch = arguments.has("--allow-search")
    options.scope = try arguments.word("--scope") ?? .uploads
    options.expiresAt = try arguments.time("--expires-at")
    return options
  }
}
