import FoundationEssentials
import JSON
import Quota
import Telemetry

/// A plan for people and for programs.
struct PlanReport: Sendable {
  let plan: HarvestPlan
  /// What planning itself has cost.
  let spent: [Bucket: Int]
  /// The default bucket after planning.
  let status: BucketStatus?
  /// Units of a whole day.
  let daily: Int

  private var days: Int? { plan.days(remaining: status?.remaining ?? 0, daily: daily) }

  /// When the last unit can be spent: the day's reset is the earliest moment.
  private var begins: Date? {
    guard let days, days > 1, let status else { return nil }
    return status.resetsAt.addingTimeInterval(Double(days - 2) * 86_400)
  }

  func table(width: Int?) -> String {
    var table = TextTable(columns: [
      .init("channel", flexible: true), .init("videos", .right), .init("pages", .right, dispensable: 1),
      .init("resolve", .right, dispensable: 2), .init("list", .right, dispensable: 3), .init("enrich", .right, dispensable: 4),
      .init("units", .right), .init("", flexible: true),
    ])
    for item in plan.items {
      let name = item.title.map { $0.lowercased() == item.name.lowercased() ? item.name : "\($0) (\(item.name))" } ?? item.name
      let pages = item.pages(plan.terms)
      table.append([
        name, item.videos.map(Spans.count) ?? "–", Spans.count(pages), Spans.count(item.resolvingUnits), Spans.count(pages),
        Spans.count(item.enrichmentUnits(plan.terms)), Spans.count(item.units(plan.terms)), item.problem ?? "",
      ])
    }
    return table.text(width: width) + "\n" + sentences
  }

  private var sentences: String {
    let planned = plan.items.count { $0.problem == nil }
    guard planned > 0 else { return "No name could be planned.\n" + cost }
    let missing = plan.items.count - planned
    let most = plan.terms.endsByDate
    var text = "Bucket default: \(most ? "at most " : "")\(Spans.count(plan.units)) units needed"
    if let status { text += ", \(Spans.count(status.remaining)) of \(Spans.count(status.limit)) left today" }
    switch (days, begins) {
    case (nil, _): text += ". The daily limit is 0: this can never be done.\n"
    case (1, _): text += ". Today's remainder suffices.\n"
    case (let days?, let date):
      let when = date.map { " (after the reset of \(Timestamp.rfc3339($0).prefix(16))Z)" } ?? ""
      text += ". Today's remainder \(most ? "may" : "does") not suffice: done on day \(days)\(most ? " at the latest" : "")\(when).\n"
    }
    if missing > 0 {
      let (verb, whose) = missing == 1 ? ("has", "its look-up") : ("have", "their look-ups")
      text += "\(missing) of \(plan.items.count) names \(verb) no plan; what \(whose) will cost is counted.\n"
    }
    if most { text += "How much of it the date of --published-after saves is known only once the lists are read.\n" }
    return text + cost
  }

  private var cost: String {
    let parts = spent.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\(Spans.count($0.value)) of bucket \($0.key)" }
    return "Planning itself has cost \(parts.isEmpty ? "nothing" : parts.joined(separator: ", ")).\n"
  }

  var json: JSONTree {
    var result: JSONTree = [
      "channels": .array(
        plan.items.map { item in
          var members: [JSONTree.Member] = [.init("name", .string(item.name))]
          if let title = item.title { members.append(.init("title", .string(title))) }
          if let videos = item.videos { members.append(.init("videos", .int(videos))) }
          members.append(.init("pages", .int(item.pages(plan.terms))))
          members.append(.init("units", .int(item.units(plan.terms))))
          if let problem = item.problem { members.append(.init("problem", .string(problem))) }
          return .object(members)
        }),
      "units": ["default": .int(plan.units)],
      "isUpperBound": .bool(plan.terms.endsByDate),
      "planningUnits": .object(spent.sorted { $0.key < $1.key }.map { .init($0.key.rawValue, .int($0.value)) }),
    ]
    if let status {
      result["remaining"] = ["default": .int(status.remaining)]
      result["sufficesToday"] = .bool(plan.units <= status.remaining)
      result["resetsAt"] = .string(Timestamp.rfc3339(status.resetsAt))
    }
    result["days"] = days.map { .int($0) }
    return result
  }
}
