/// Which videos, in which order.
struct VideoSelection: Equatable, Sendable {
  enum Sort: String, CaseIterable, Sendable { case newest, oldest, longest, shortest, mostViewed }
  enum Filter: String, CaseIterable, Sendable { case all, liked, unavailable }

  /// nil is all channels.
  var channel: Int?
  var sort = Sort.newest
  var filter = Filter.all
  /// Seconds since 1970, at or after the first, before the second.
  var publishedAfter: Int?
  var publishedBefore: Int?
  var minDuration: Int?
  var maxDuration: Int?

  /// What stands for an unknown date, duration or number of views: it sorts below every known one.
  static let unknown = -(1 << 53)

  /// A place in the order.
  struct Place: Equatable, Sendable {
    var key: Int
    var n: Int
  }

  var key: String {
    switch sort {
    case .newest, .oldest: "published"
    case .longest, .shortest: "duration"
    case .mostViewed: "views"
    }
  }

  private var isDescending: Bool {
    switch sort {
    case .newest, .longest, .mostViewed: true
    case .oldest, .shortest: false
    }
  }

  /// The rows behind a place, or before it in reversed order, with all that decides whether they belong to the list.
  /// - Parameter backwards: the other direction.
  func statement(behind place: Place?, backwards: Bool = false) -> (sql: String, values: [Int]) {
    var conditions: [String] = []
    var values: [Int] = []
    if let channel {
      conditions.append("channel = ?")
      values.append(channel)
    }
    if filter != .all { conditions.append("\(filter.rawValue) = 1") }
    let descends = isDescending != backwards
    if let place {
      conditions.append("(\(key), n) \(descends ? "<" : ">") (?, ?)")
      values += [place.key, place.n]
    }
    // A range of the order's own key ends the reading; other ranges are looked at row by row.
    for (bound, comparison) in ownBounds {
      conditions.append("\(key) \(comparison) ?")
      values.append(bound)
    }
    let order = descends ? "DESC" : "ASC"
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return ("SELECT n, \(key), published, duration FROM video\(condition) ORDER BY \(key) \(order), n \(order)", values)
  }

  private var ownBounds: [(Int, String)] {
    let bounds: [(Int?, String)] =
      key == "published"
      ? [(publishedAfter, ">="), (publishedBefore, "<")] : key == "duration" ? [(minDuration, ">="), (maxDuration, "<=")] : []
    // What is unknown passes no range.
    let known: [(Int, String)] = bounds.isEmpty || bounds.allSatisfy { $0.0 == nil } ? [] : [(Self.unknown, ">")]
    return bounds.compactMap { bound, comparison in bound.map { ($0, comparison) } } + known
  }

  func admits(published: Int, duration: Int) -> Bool {
    if publishedAfter != nil || publishedBefore != nil {
      guard published != Self.unknown, published >= publishedAfter ?? .min, published < publishedBefore ?? .max else { return false }
    }
    if minDuration != nil || maxDuration != nil {
      guard duration != Self.unknown, duration >= minDuration ?? .min, duration <= maxDuration ?? .max else { return false }
    }
    return true
  }
}

extension VideoSelection {
  func place(of video: CatalogReader.StoredVideo) -> Place {
    switch sort {
    case .newest, .oldest: Place(key: video.published, n: video.n)
    case .longest, .shortest: Place(key: video.duration, n: video.n)
    case .mostViewed: Place(key: video.views, n: video.n)
    }
  }
}
