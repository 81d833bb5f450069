import JSON
import TestSupport
import Testing

@Suite("Fuzz: JSON", .timeLimit(.minutes(60)))
struct JSONFuzzTests {
  /// What a writer can say and a reader repeats: numbers that are whole become integers.
  private static func readable(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .object(let members): .object(members.map { .init($0.key, readable($0.value)) })
    case .array(let elements): .array(elements.map { readable($0) })
    case .double(let number): !number.isFinite ? .null : Int(exactly: number).map { .int($0) } ?? tree
    default: tree
    }
  }

  // Strings that differ in their bytes only are different here.
  private static func isSame(_ left: JSONTree, _ right: JSONTree) -> Bool { left == right && left.bytes() == right.bytes() }

  @Test func whatIsWrittenReadsBackEqual() {
    Fuzz.run { one in
      let tree = one.random.tree(depth: 6)
      let bytes = one.given(tree.bytes(pretty: one.random.chance(50)))
      let again = try JSONTree.parse(bytes)
      try claim(Self.isSame(again, Self.readable(tree)), "read \(again)")
      try claim(bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "a control character as it is")
    }
  }

  @Test func whateverIsParsedCanBeWrittenAndParsedAgain() {
    Fuzz.run { one in
      let seed = one.random.tree(depth: 5)
      let bytes = one.given(one.random.chance(10) ? one.random.bytes() : one.random.mutated(one.random.mutated(seed)))
      let tree: JSONTree
      do throws(JSONError) { tree = try JSONTree.parse(bytes) } catch { return try claimSentence(error.reason, limit: 300) }
      try claim(String(validating: bytes, as: UTF8.self) != nil, "no UTF-8, and yet parsed")
      let again = try JSONTree.parse(tree.bytes())
      try claim(Self.isSame(again, tree), "\(tree) became \(again)")
      try claim(Self.isSame(try JSONTree.parse(tree.bytes(pretty: true)), tree), "pretty is different")
    }
  }

  @Test func aMemberIsFoundByItsNameOrNotAtAll() {
    Fuzz.run { one in
      let tree = one.random.tree(depth: 3)
      let document = try JSONDocument.parse(one.given(tree.bytes()))
      for (key, value) in document.root.members {
        let found = document.root[named: key]
        let first = document.root.members.first { $0.key.utf8.elementsEqual(key.utf8) }
        try claim(found?.kind == first?.value.kind, "another member than the first of that name")
        _ = (value.int, value.count, value.double, value.bool, value.string)
      }
      _ = document.root["kind"]
    }
  }

  @Test func nestingIsReadToItsLimitAndRefusedBeyond() {
    Fuzz.run(share: 0.02) { one in
      let depth = one.random.pick([1000, 1020, 1023, 1024, 1025, 5000, 100_000])
      let open = one.random.pick(["[", "{\"a\":", "[[{\"\":"])
      let text = String(repeating: open, count: depth / open.filter { "[{".contains($0) }.count)
      let close = String(open.reversed().compactMap { $0 == "[" ? "]" : $0 == "{" ? "}" : nil })
      let whole = text + "1" + String(repeating: close, count: depth / close.count)
      guard let tree = try? JSONTree.parse(Array((one.random.chance(80) ? whole : text).utf8)) else {
        return try claim(depth > 1000 || whole != text, "refused at \(depth)")
      }
      try claim(try JSONTree.parse(tree.bytes()) == tree, "not equal")
    }
  }

  /// The grammar of RFC 8259, in the words of another engine.
  private static func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }

  @Test func numbersOfAnyLengthAreReadOrRefused() {
    Fuzz.run { one in
      let text = one.given(one.random.literal())
      guard let root = try? JSONDocument.parse(Array("[\(text)]".utf8)).root, let value = root.elements.first(where: { _ in true }) else {
        return try claim(text.isEmpty || !Self.isNumber(text), "a number that was refused")
      }
      try claim(Self.isNumber(text), "no number, and yet read")
      guard let double = value.double, let wanted = Double(text) else { throw Broken(description: "parsed, but no number") }
      let nearest = min(max(wanted, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
      try claim(double == nearest || (nearest == -0x1p63 && double == (-0x1p63).nextDown), "\(double) for \(text)")
      try claim(value.int == Int(text) || text.contains { ".eE".contains($0) }, "\(String(describing: value.int)) for \(text)")
    }
  }

  @Test func aNumberThatDoesNotFitHindersNoOtherField() {
    Fuzz.run { one in
      let tree = one.random.tree(depth: 4)
      let number = one.random.literal()
      let fits = one.random.pick(["1e400", "-1e400", "99999999999999999999", String(repeating: "7", count: 700)])
      let rest = String(decoding: tree.bytes(pretty: one.random.chance(50)), as: UTF8.self)
      let parts = one.random.chance(50) ? [rest, Self.isNumber(number) ? number : "0", fits] : [fits, rest, "null"]
      let bytes = one.given(Array("[\(parts.joined(separator: ","))]".utf8))
      let elements = try JSONTree.parse(bytes).elements ?? []
      try claim(elements.count == 3, "\(elements.count) elements")
      try claim(Self.isSame(elements[parts[0] == rest ? 0 : 1], Self.readable(tree)), "read \(elements)")
      // Bytes that are broken beside it are handled without harm.
      _ = try? JSONTree.parse(one.random.mutated(bytes))
      _ = try? JSONTree.parse(Array("[\(fits),".utf8) + one.random.bytes())
    }
  }
}

extension Mutator {
  /// What may be a number, of any length.
  fileprivate mutating func literal() -> String {
    let count = below(pick([3, 25, 400]))
    let digits = String((0..<count).map { _ in Character("\(below(10))") })
    let parts = [pick(["", "-", "+", "0"]), digits, pick(["", ".", ".0", ".\(digits)"])]
    return parts.joined() + pick(["", "e1", "E-5", "e400", "e-400", "e+\(digits)", "e"])
  }
}
