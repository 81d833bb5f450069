import JSON
import TestSupport

/// A seeded generator of broken variants.
struct Mutator: RandomNumberGenerator {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// The text of a JSON value with some values exchanged, and sometimes some bytes.
  mutating func mutated(_ tree: JSONTree) -> [UInt8] {
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
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
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

  private static let inserts = [
    "\"", "{", "}", "[", "\\u0000", "\\ud800", "%00", "%", "/", "?v=", "&list=", "@", "UC", " ", "\n", "\u{200B}", "é", "null", "-1",
    "1e99",
    "https://", "youtu.be/",
  ]
}
