/// The messages of one partition that are being handled, in offset order.
///
/// A finished message may leave only when all before it are finished: so the position that is committed is always
/// below the lowest unfinished offset, and outputs are published in offset order.
public struct OffsetTracker<Outcome: Sendable>: Sendable {
  private struct Entry: Sendable {
    let offset: Int64
    var outcome: Outcome?
  }

  // Entries before `head` have left; the array is compacted now and then.
  private var entries: [Entry] = []
  private var head = 0
  private var highest: Int64?
  private var finishedCount = 0

  public init() {}

  /// How many messages are held, finished or not.
  public var count: Int { entries.count - head }
  public var isEmpty: Bool { count == 0 }

  /// A message came. Offsets must rise; an offset that does not is refused, so that a redelivery within an assignment is not handled twice.
  public mutating func received(_ offset: Int64) -> Bool {
    guard rises(offset) else { return false }
    highest = offset
    entries.append(Entry(offset: offset))
    return true
  }

  /// Whether the offset is above all that came, those included that have left.
  public func rises(_ offset: Int64) -> Bool { highest.map { $0 < offset } ?? true }

  /// A message is done. Returns whether the finished prefix grew.
  @discardableResult
  public mutating func finished(_ offset: Int64, _ outcome: Outcome) -> Bool {
    guard let place = index(of: offset), entries[place].outcome == nil else { return false }
    entries[place].outcome = outcome
    finishedCount += 1
    return place == head
  }

  /// Whether there is something to deliver.
  public var hasFinishedPrefix: Bool { head < entries.count && entries[head].outcome != nil }

  /// The first unfinished message, when finished ones have to wait behind it.
  public var obstacle: Int64? {
    guard finishedCount > 0, head < entries.count, entries[head].outcome == nil else { return nil }
    return entries[head].offset
  }

  /// Removes up to `limit` messages of the finished prefix.
  public mutating func takeFinishedPrefix(upTo limit: Int = .max) -> [(offset: Int64, outcome: Outcome)] {
    var result: [(offset: Int64, outcome: Outcome)] = []
    while result.count < limit, head < entries.count, let outcome = entries[head].outcome {
      result.append((entries[head].offset, outcome))
      // What has left must not be kept in memory until the array is compacted.
      entries[head].outcome = nil
      head += 1
      finishedCount -= 1
    }
    if head > 64 && head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return result
  }

  private func index(of offset: Int64) -> Int? {
    var low = head
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].offset == offset ? low : nil
  }
}
