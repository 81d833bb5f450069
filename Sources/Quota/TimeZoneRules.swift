import FoundationEssentials

/// The offsets of one zone, from a TZif file (RFC 8536).
///
/// Foundation's own zones are not used: without its big internationalisation library it knows none but GMT.
struct TimeZoneRules: Sendable {
  private var transitions: [Int] = []
  private var offsets: [Int] = []
  private var firstOffset = 0
  private var footer: PosixTimeZone?

  init(zone: String, directories: [String]) throws(TimeZoneDataError) {
    for directory in directories {
      let path = "\(directory)/\(zone)"
      guard let data = try? Data(contentsOf: URL(filePath: path)) else { continue }
      guard let rules = TimeZoneRules(bytes: [UInt8](data)) else {
        throw TimeZoneDataError(message: "\(path) is no valid time zone file. Reinstall the package tzdata.")
      }
      self = rules
      return
    }
    throw TimeZoneDataError(
      message: "This system has no time zone data for \(zone) (looked in \(directories.joined(separator: ", "))), "
        + "so the daily quota reset is unknown. Install the package tzdata, or set TZDIR to a zoneinfo directory.")
  }

  static func systemDirectories() -> [String] {
    let own = ProcessInfo.processInfo.environment["TZDIR"].map { [$0] } ?? []
    return own + ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]
  }

  /// `nil` when the bytes are no TZif file of version 2 or later.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes: bytes)
    guard let first = reader.header(), first.version >= UInt8(ascii: "2"), reader.skip(first.bodySize(timeSize: 4)),
      let header = reader.header(), header.types > 0
    else { return nil }
    for _ in 0..<header.times {
      guard let time = reader.integer(8) else { return nil }
      transitions.append(time)
    }
    guard let indices = reader.take(header.times) else { return nil }
    var types: [Int] = []
    for _ in 0..<header.types {
      guard let offset = reader.integer(4), reader.skip(2) else { return nil }
      types.append(offset)
    }
    for index in indices {
      guard Int(index) < types.count else { return nil }
      offsets.append(types[Int(index)])
    }
    guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    firstOffset = types[0]
    guard reader.skip(header.characters + header.leaps * 12 + header.standardFlags + header.utFlags) else { return nil }
    guard let rule = reader.footer() else { return nil }
    footer = PosixTimeZone(rule)
    // An empty footer means that nothing is known after the last transition; anything else must be readable.
    if footer == nil, !rule.isEmpty || transitions.isEmpty { return nil }
  }

  /// Seconds east of UTC at `time`, in seconds since 1970.
  func offset(at time: Int) -> Int {
    guard let last = transitions.last else { return footer?.offset(at: time) ?? firstOffset }
    if time >= last { return footer?.offset(at: time) ?? offsets[offsets.count - 1] }
    let later = transitions.partitioningIndex { $0 > time }
    return later == 0 ? firstOffset : offsets[later - 1]
  }
}

extension Array {
  // The first index whose element satisfies the predicate, in an array in which all that do come last.
  fileprivate func partitioningIndex(_ belongsInSecondPart: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

private struct ByteReader {
  let bytes: [UInt8]
  var position = 0

  struct Header {
    let version: UInt8
    let utFlags, standardFlags, leaps, times, types, characters: Int

    func bodySize(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standardFlags + utFlags
    }
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  mutating func skip(_ count: Int) -> Bool { take(count) != nil }

  // Big-endian two's complement.
  mutating func integer(_ size: Int) -> Int? {
    guard let field = take(size), let first = field.first else { return nil }
    return field.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int($1) }
  }

  mutating func header() -> Header? {
    guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(1)?.first, skip(15) else { return nil }
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = integer(4), (0...100_000).contains(count) else { return nil }
      counts.append(count)
    }
    return Header(
      version: version, utFlags: counts[0], standardFlags: counts[1], leaps: counts[2], times: counts[3], types: counts[4],
      characters: counts[5])
  }

  mutating func footer() -> String? {
    guard take(1)?.first == UInt8(ascii: "\n"), let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return String(bytes: bytes[position..<end], encoding: .utf8)
  }
}
