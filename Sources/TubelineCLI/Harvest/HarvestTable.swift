import Telemetry

/// The table at the end of a harvest.
enum HarvestTable {
  static func text(_ state: HarvestState, width: Int?) -> String {
    let statuses = statuses(state.requests)
    let showsStatus = !state.isSuccessful || statuses.contains { $0 != "" }
    let showsSearches = state.requests.contains { $0.searches > 0 }
    // A playlist or a video has no channel's title.
    let heading = state.requests.allSatisfy { $0.title != nil } ? "channel" : "name"
    var table = TextTable(
      columns: [
        .init(heading, flexible: true), .init("videos", .right), .init("unavailable", .right, dispensable: 1),
        .init("pages", .right, dispensable: 2), .init("units", .right, dispensable: 3),
      ] + (showsSearches ? [.init("searches", .right, dispensable: 3)] : [])
        + (showsStatus ? [.init("status", flexible: true, comfort: 20)] : []))
    for (request, status) in zip(state.requests, statuses) {
      table.append(
        [
          name(request), Spans.count(request.written), Spans.count(request.unavailable),
          Spans.count(request.completion?.pages ?? request.pages.count), request.units.map(Spans.count) ?? "–",
        ] + (showsSearches ? [Spans.count(request.searches)] : []) + (showsStatus ? [status] : []))
    }
    if state.requests.count > 1 {
      let requests = state.requests
      table.append(
        [
          "total", Spans.count(state.written), Spans.count(requests.reduce(0) { $0 + $1.unavailable }),
          Spans.count(requests.reduce(0) { $0 + ($1.completion?.pages ?? $1.pages.count) }),
          requests.contains { $0.units == nil } ? "–" : Spans.count(requests.reduce(0) { $0 + ($1.units ?? 0) }),
        ] + (showsSearches ? [Spans.count(requests.reduce(0) { $0 + $1.searches })] : []) + (showsStatus ? [""] : []))
    }
    let text = table.text(width: width)
    return text + explanations(state.requests, statuses, missingIn: text, width)
  }

  // What went wrong is told whole: below the table where it has no room in it.
  private static func explanations(
    _ requests: [HarvestState.Request], _ statuses: [String], missingIn table: String, _ width: Int?
  ) -> String {
    guard let width else { return "" }
    return zip(requests, statuses).map { request, status in
      let status = VisibleText.of(status)
      guard status != "", !table.contains(status) else { return "" }
      let lines = HelpText.wrapped("\(VisibleText.of(name(request))): \(status)", to: max(8, width - 2))
      return lines.enumerated().map { ($0 == 0 ? "" : "  ") + $1 + "\n" }.joined()
    }.joined()
  }

  /// What the table does not show: pages that were under way when the harvest ended, and calls that were made again.
  static func spending(_ state: HarvestState, _ quota: ProgressView.Quota?) -> String? {
    guard let quota, !state.isSuccessful, quota.spent > state.requests.reduce(0, { $0 + ($1.units ?? 0) }) else { return nil }
    let units = quota.spent == 1 ? "1 unit was" : "\(Spans.count(quota.spent)) units were"
    return "By the ledger \(units) spent meanwhile, also for what did not get done."
  }

  /// What is said when nobody reads the records any more.
  static func cutShort(_ state: HarvestState) -> String {
    let expected = state.expected.map { " of \(Spans.count($0))" } ?? ""
    return "The reader of the output left after \(Spans.count(state.written))\(expected) records; the harvest is not complete."
  }

  /// One for each request. A name and a handle can be the same channel, which only the API can tell.
  static func statuses(_ requests: [HarvestState.Request]) -> [String] {
    var names: [String: String] = [:]
    return requests.map { request in
      guard let list = request.playlistID else { return status(request) }
      guard let first = names[list] else {
        names[list] = request.name
        return status(request)
      }
      return ["same list as \(first)", status(request)].filter { $0 != "" }.joined(separator: ", ")
    }
  }

  static func name(_ request: HarvestState.Request) -> String {
    guard let title = request.title, title.lowercased() != request.name.lowercased() else { return request.name }
    return "\(title) (\(request.name))"
  }

  static func status(_ request: HarvestState.Request) -> String {
    switch request.outcome {
    case .completed:
      [
        request.truncatedBy.map { $0 == .since ? "since last" : "cut by \($0.rawValue)" },
        request.repeated > 0 ? "\(request.repeated) repeated" : nil,
      ].compactMap { $0 }.joined(separator: ", ")
    case .unsuccessful(let kind, let reason): reason.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue
    case .short(let missing):
      "\(Spans.count(missing)) records missing"
        + (request.failure.map { " (\(request.failedPages) \(request.failedPages == 1 ? "page" : "pages") failed: \($0))" } ?? "")
    case nil: request.isPublished ? "not completed" : "not begun"
    }
  }
}
