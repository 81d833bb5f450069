public import JSON

/// A seeded generator of broken variants.
public struct Mutator: RandomNumberGenerator, Sendable {
  private var random: SeededRandom

  public init(seed: UInt64) { random = SeededRandom(seed: seed) }

  public mutating func next() -> UInt64 { random.next() }

  public mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }

  public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  public mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// The text of a JSON value with some values exchanged, and sometimes some bytes.
  public mutating func mutated(_ tree: JSONTree) -> [UInt8] {
    let bytes = changed(tree, percent: pick([2, 10, 40])).bytes()
    return chance(40) ? mutated(bytes) : bytes
  }

  private mutating func changed(_ tree: JSONTree, percent: Int) -> JSONTree {
    if chance(percent) { return replacement() }
    switch tree {
    case .object(let members):
      var result: [JSONTree.Member] = []
      for member in members where !chance(percent / 2) { result.append(.init(member.key, changed(member.value, percent: percent))) }
      return .object(result)
    case .array(let elements): return .array(elements.map { changed($0, percent: percent) })
    default: return tree
    }
  }

  private mutating func replacement() -> JSONTree {
    pick([
      .null, .bool(true), .int(-1), .int(Int.max), .double(1e300), .string(""), .string("\u{0}"), .string("-1"),
      .string("99999999999999999999"),
      .string(String(repeating: "x", count: 5000)), .array([]), .object([]), .array([.null]), .array([.object([])]), .string("PT"),
      .object([.init("", .null)]), .string("0001-01-01T00:00:00Z"), .string("👩‍👩‍👧‍👦\u{202E}"),
    ])
  }

  /// One to four changes of bytes: flipped, removed, doubled, inserted, cut off.
  public mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(4) where !bytes.isEmpty {
      let place = below(bytes.count)
      switch below(6) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 8)], at: place)
      case 4: bytes.removeLast(chance(20) ? bytes.count - place : 1)
      default: bytes.insert(contentsOf: pick(Self.inserts).utf8, at: place)
      }
    }
    return bytes
  }

  /// What readers stumble over, by themselves or within a text.
  private static let inserts = [
    "\"", "{", "}", "[", "\\u0000", "\\ud800", "%00", "%", "/", "?v=", "&list=", "@", "UC", " ", "\n", "\u{200B}", "é", "null", "-1",
    "1e99", "https://", "youtu.be/", "\u{0}", "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{9B}31m", "\r", "\t", "\u{7F}", "\u{85}", "\u{202E}",
    "\u{2028}",
    "\u{61C}", "\u{FEFF}", "\u{301}", "\u{30A}\u{327}", "\u{200D}", "👩‍👩‍👧‍👦", "İ", "ß", "ﬁ", "ΑΣ", "\u{212A}", "\u{10FFFF}", "\u{E0041}", "日本",
    "א",
    "<", "&amp;", "&#x1b;", "'", "“", "”", ",", ";", "=", "=", "--", ":", ".", "+", "\\", "|", "#", "9223372036854775807",
    "99999999999999999999",
    "0x10", "1_0", "٣", "T", "Z", "-0", "+00:00",
  ]

  /// A text of up to a few dozen pieces: odd scalars, words and marks, seldom a very long one.
  public mutating func text() -> String {
    if chance(1) { return String(repeating: pick(Self.inserts), count: below(3000)) }
    var scalars = String.UnicodeScalarView()
    for _ in 0..<below(pick([3, 8, 40])) {
      switch below(8) {
      case 0..<3: scalars.append(Unicode.Scalar(UInt8(0x20 + below(0x5F))))
      case 3: scalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: next())))
      case 4: if let scalar = Unicode.Scalar(UInt32(below(0x3000))) { scalars.append(scalar) }
      case 5: if let scalar = Unicode.Scalar(UInt32(below(0x11_0000))) { scalars.append(scalar) }
      default: scalars.append(contentsOf: pick(Self.inserts).unicodeScalars)
      }
    }
    return String(scalars)
  }

  /// Any bytes at all, often not UTF-8.
  public mutating func bytes() -> [UInt8] {
    chance(50) ? Array(text().utf8) : (0..<below(pick([4, 40, 200]))).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// A number as people and programs get it wrong.
  public mutating func number() -> Int {
    switch below(6) {
    case 0: pick([0, 1, -1, Int.max, Int.min, 1 << 53, (1 << 53) + 1, 1 << 32, 1 << 31])
    case 1: Int(truncatingIfNeeded: next())
    case 2: Int(truncatingIfNeeded: next() >> UInt64(below(64)))
    default: below(100)
    }
  }

  /// A JSON value of a few levels.
  public mutating func tree(depth: Int = 4) -> JSONTree {
    switch below(depth > 0 ? 9 : 7) {
    case 0: .null
    case 1: .bool(chance(50))
    case 2: .int(number())
    case 3: .double(Double(bitPattern: next()))
    case 4: .double(Double(number()) / 1000)
    case 5, 6: .string(text())
    case 7: .array((0..<below(5)).map { _ in tree(depth: depth - 1) })
    default: .object((0..<below(5)).map { _ in JSONTree.Member(text(), tree(depth: depth - 1)) })
    }
  }
}
