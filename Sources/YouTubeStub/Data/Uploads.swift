/// What the control endpoints changed in a channel: videos published on top, and serial numbers that are gone.
struct UploadChanges: Sendable, Equatable {
  var added = 0
  private(set) var removed: [Int] = []

  mutating func remove(_ serials: [Int]) { removed = Set(removed + serials).sorted() }
}

/// The uploads of a channel as serial numbers, 0 the oldest; the list shows the newest first.
struct Uploads: Sendable, Equatable {
  enum Availability: String { case `public`, unlisted, `private`, deleted }

  /// playlistItems.list reaches no further.
  static let ceiling = 20_000
  // One of each in a hundred is not public. Fixed places, so that counting needs no walk.
  private static let period = 100
  private static let exceptions: [(place: Int, availability: Availability)] = [(23, .private), (47, .deleted), (71, .unlisted)]

  private let base: Int
  let published: Int
  let removed: [Int]

  init(base: Int, changes: UploadChanges = UploadChanges()) {
    self.base = base
    published = base + changes.added
    removed = changes.removed
  }

  var count: Int { published - removed.count }
  var listed: Int { min(count, Self.ceiling) }

  /// Videos that were added later are all public.
  func availability(_ serial: Int) -> Availability {
    guard serial < base else { return .public }
    return Self.exceptions.first { $0.place == serial % Self.period }?.availability ?? .public
  }

  func holds(_ serial: Int) -> Bool { serial >= 0 && serial < published && removed[position(of: serial)...].first != serial }

  /// The serial number at a place of the list.
  func serial(at place: Int) -> Int {
    var serial = published - 1 - place
    // Every removed video above moves the place down by one, which may pass further removed ones.
    for gone in removed.reversed() {
      guard gone >= serial else { break }
      serial -= 1
    }
    return serial
  }

  /// The place in the list of a video it holds.
  func place(of serial: Int) -> Int {
    published - 1 - serial - (removed.count - position(of: serial))
  }

  /// Public uploads.
  var publicCount: Int { count(in: 0..<published, [.public]) }

  /// Listed entries that videos.list returns.
  var availableCount: Int { count(in: (listed == 0 ? published : serial(at: listed - 1))..<published, [.public, .unlisted]) }

  private func count(in range: Range<Int>, _ wanted: Set<Availability>) -> Int {
    var result = range.count
    for exception in Self.exceptions where !wanted.contains(exception.availability) {
      let place = exception.place
      result -= occurrences(of: place, below: range.upperBound) - occurrences(of: place, below: range.lowerBound)
    }
    return result - removed.count { range.contains($0) && wanted.contains(availability($0)) }
  }

  private func occurrences(of place: Int, below bound: Int) -> Int {
    let bound = min(bound, base)
    return bound > place ? (bound - place - 1) / Self.period + 1 : 0
  }

  /// How many removed serial numbers are lower.
  private func position(of serial: Int) -> Int {
    var low = 0
    var high = removed.count
    while low < high {
      let middle = (low + high) / 2
      if removed[middle] < serial { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
