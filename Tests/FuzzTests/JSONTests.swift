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

  @Test func numbersOfAnyLengthAreReadOrRefused() {
    Fuzz.run { one in
      let digits = String((0..<one.random.below(one.random.pick([3, 25, 400]))).map { _ in Character("\(one.random.below(10))") })
      let parts = [one.random.pick(["", "-", "+", "0"]), digits, one.random.pick(["", ".", ".0", ".\(digits)"])]
      let exponent = one.random.pick(["", "e1", "E-5", "e400", "e-400", "e+\(digits)", "e"])
      let text = one.given(parts.joined() + exponent)
      guard let root = try? JSONDocument.parse(Array("[\(text)]".utf8)).root, let value = root.elements.first(where: { _ in true }) else {
        return
      }
      guard let double = value.double, let wanted = Double(text) else { throw Broken(description: "parsed, but no number") }
      try claim(double == wanted && double.isFinite, "\(double) for \(text)")
      if let int = value.int, text.utf8.count < 19, Int(text) != nil { try claim(int == Int(text), "\(int)") }
    }
  }
}
