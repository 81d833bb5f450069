/// How many records there are; transaction markers, which take offsets too, are none.
public struct RecordCount: Sendable, Equatable {
  public let records: Int
  /// False where only a part was read, and the rest is as full of records as that part.
  public let isExact: Bool

  public static let none = RecordCount(records: 0, isExact: true)
}

/// Counts the records of some stretches of logs, up to a bound.
public struct RecordTally: Sendable {
  private struct Stretch: Sendable {
    var next: Int64
    let end: Int64
  }

  /// So many records are counted one by one.
  public static let mostRecords = 2000
  /// So many bytes are read: pages of lists are large.
  static let mostBytes = 16 << 20

  private var stretches: [Int: Stretch] = [:]
  private var offsets = 0
  private var counted = 0
  private var read = 0
  private var bytes = 0
  private let limit: Int

  init(limit: Int = mostRecords) { self.limit = limit }

  /// Adds a stretch of offsets, under a number of the caller's.
  mutating func add(_ number: Int, _ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    stretches[number] = Stretch(next: range.lowerBound, end: range.upperBound)
    offsets += range.count
  }

  /// A record was read. Returns whether it lies in its stretch; those that came later do not count.
  mutating func note(_ number: Int, offset: Int64, bytes size: Int, counts: Bool = true) -> Bool {
    guard let stretch = stretches[number], offset >= stretch.next, offset < stretch.end else { return false }
    if counts { counted += 1 }
    bytes += size
    reached(number, offset + 1)
    return true
  }

  /// Everything below the offset was read; only markers were left.
  mutating func reached(_ number: Int, _ offset: Int64) {
    guard let stretch = stretches[number], offset > stretch.next else { return }
    let next = min(offset, stretch.end)
    read += Int(next - stretch.next)
    stretches[number]?.next = next
  }

  /// A record that was counted is none after all.
  mutating func discount(_ records: Int = 1) { counted = max(0, counted - records) }

  var offsetsRead: Int { read }

  /// Records for each offset that was read. Nothing read: each offset may be a record.
  var density: Double { read == 0 ? 1 : Double(counted) / Double(read) }

  var isFinished: Bool { read >= offsets || counted >= limit || bytes >= Self.mostBytes }

  var result: RecordCount {
    guard read < offsets else { return RecordCount(records: counted, isExact: true) }
    return RecordCount(records: counted + Int((Double(offsets - read) * density).rounded()), isExact: false)
  }
}
