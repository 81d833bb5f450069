/// The table at the end of a harvest.
enum HarvestTable {
  static func text(_ state: HarvestState, width: Int?) -> String {
    let showsStatus = !state.isSuccessful || state.requests.contains { status($0) != "" }
    var columns: [TextTable.Column] = [
      .init("channel", flexible: true), .init("videos", .right), .init("unavailable", .right), .init("pages", .right),
      .init("units", .right),
    ]
    if showsStatus { columns.append(.init("status")) }
    var table = TextTable(columns: columns)
    for request in state.requests {
      table.append(
        [
          name(request), Spans.count(request.written), Spans.count(request.unavailable),
          Spans.count(request.completion?.pages ?? request.pages.count), request.units.map(Spans.count) ?? "–",
        ] + (showsStatus ? [status(request)] : []))
    }
    if state.requests.count > 1 {
      let requests = state.requests
      table.append(
        [
          "total", Spans.count(state.written), Spans.count(requests.reduce(0) { $0 + $1.unavailable }),
          Spans.count(requests.reduce(0) { $0 + ($1.completion?.pages ?? $1.pages.count) }),
          requests.contains { $0.units == nil } ? "–" : Spans.count(requests.reduce(0) { $0 + ($1.units ?? 0) }),
        ] + (showsStatus ? [""] : []))
    }
    // What went wrong is told whole, be it in two lines.
    return table.text(width: width, isCut: false)
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
      "\(Spans.count(missing)) records missing" + (request.failure.map { " (\(request.failedPages) pages failed: \($0))" } ?? "")
    case nil: request.isPublished ? "not completed" : "not begun"
    }
  }
}
