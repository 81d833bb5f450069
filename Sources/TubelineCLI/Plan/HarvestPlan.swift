import FoundationEssentials

/// What a harvest would cost: arithmetic on the counts that resolving tells.
struct HarvestPlan: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    let name: String
    var title: String?
    /// Entries of the list; nil when there is no such channel or playlist.
    var videos: Int?
    /// What kept it from being planned.
    var problem: String?
    /// Looking the channel up once more, when the harvest begins.
    var resolvingUnits = 0

    /// Entries that a harvest fetches: at most what was asked for, and what the API lists.
    func fetched(_ terms: Terms) -> Int { min(videos ?? 0, terms.maxVideos ?? .max, terms.ceiling) }

    /// A list without entries still costs a call.
    func pages(_ terms: Terms) -> Int { videos == nil ? 0 : max(1, (fetched(terms) + 49) / 50) }

    func enrichmentUnits(_ terms: Terms) -> Int { terms.enriches && videos != nil ? (fetched(terms) + 49) / 50 : 0 }

    func units(_ terms: Terms) -> Int { resolvingUnits + pages(terms) + enrichmentUnits(terms) }
  }

  struct Terms: Sendable, Equatable {
    var maxVideos: Int?
    var enriches = true
    /// Whether a date ends the lists early. Where, only the lists themselves tell, so that all of them is the most it can cost.
    var endsByDate = false
    /// The API lists no more of a channel's uploads.
    var ceiling = 20_000
  }

  var items: [Item]
  var terms: Terms

  var units: Int { items.reduce(0) { $0 + $1.units(terms) } }

  /// On which quota day, counted from today as 1, the last unit is spent; nil when it never is.
  func days(remaining: Int, daily: Int) -> Int? {
    guard units > remaining else { return 1 }
    guard daily > 0 else { return nil }
    return 1 + (units - remaining + daily - 1) / daily
  }
}
