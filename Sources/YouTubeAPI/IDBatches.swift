/// Different ids in groups that fit into one call each. What is no id at all is left out: nothing has that name.
struct IDBatches: Sequence {
  /// The most ids that the API takes in one call.
  static let limit = 50

  private let ids: [String]

  init(_ ids: [String]) {
    var seen: Set<String> = []
    self.ids = ids.filter { ResourceID.isPlausible($0) && seen.insert($0).inserted }
  }

  func makeIterator() -> AnyIterator<ArraySlice<String>> {
    var rest = ids[...]
    return AnyIterator {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(Self.limit) }
      return rest.prefix(Self.limit)
    }
  }
}
