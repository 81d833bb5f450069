/// The `fields` parameter, `a,b(c,d),e/f,*`: which members of an answer are wanted.
final class FieldMask: Sendable, Equatable {
  /// What is wanted of one member: all of it, or what a mask names.
  enum Selection: Sendable, Equatable {
    case everything
    case members(FieldMask)
  }

  struct Member: Sendable, Equatable {
    let name: String
    let selection: Selection
  }

  let members: [Member]

  init(_ members: [Member]) { self.members = members }

  static func == (left: FieldMask, right: FieldMask) -> Bool { left.members == right.members }

  subscript(_ name: String) -> Selection? { members.first { $0.name == name || $0.name == "*" }?.selection }

  subscript(_ name: StaticString) -> Selection? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return members.first { member in
      member.name == "*" || (member.name.utf8.count == wanted.count && member.name.utf8.elementsEqual(wanted))
    }?.selection
  }

  /// Reads a mask; the error is the text from the place that is no mask.
  static func parse(_ text: String) throws(SyntaxError) -> FieldMask {
    var parser = Parser(rest: Substring(text))
    let mask = try parser.list(depth: 0)
    guard parser.rest.isEmpty else { throw SyntaxError(rest: String(parser.rest)) }
    return mask
  }

  struct SyntaxError: Error, Equatable {
    let rest: String
  }

  /// The path of the first name that `schema` does not have; a `*` fits everything.
  func firstUnknownPath(in schema: FieldMask) -> String? {
    for member in members where member.name != "*" {
      guard let known = schema[member.name] else { return member.name }
      guard case .members(let inner) = member.selection, case .members(let innerSchema) = known else { continue }
      if let path = inner.firstUnknownPath(in: innerSchema) { return "\(member.name)/\(path)" }
    }
    return nil
  }

  private struct Parser {
    var rest: Substring

    // No answer is as deep; a mask of any depth would exhaust the thread's stack.
    private static let deepest = 32

    mutating func list(depth: Int) throws(SyntaxError) -> FieldMask {
      var members = [try member(depth: depth)]
      while take(",") { members.append(try member(depth: depth)) }
      return FieldMask(Self.merged(members))
    }

    mutating func member(depth: Int) throws(SyntaxError) -> Member {
      guard depth < Self.deepest else { throw SyntaxError(rest: String(rest)) }
      skipBlanks()
      let name = rest.prefix { $0.isLetter || $0.isNumber || "_-*".contains($0) }
      guard !name.isEmpty else { throw SyntaxError(rest: String(rest)) }
      rest = rest.dropFirst(name.count)
      if take("/") { return Member(name: String(name), selection: .members(FieldMask([try member(depth: depth + 1)]))) }
      guard take("(") else { return Member(name: String(name), selection: .everything) }
      let inner = try list(depth: depth + 1)
      guard take(")") else { throw SyntaxError(rest: String(rest)) }
      return Member(name: String(name), selection: .members(inner))
    }

    mutating func take(_ character: Character) -> Bool {
      skipBlanks()
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func skipBlanks() { rest = rest.drop { $0 == " " } }

    // `items/id,items/snippet` names one member twice; together they select both.
    static func merged(_ members: [Member]) -> [Member] {
      var result: [Member] = []
      for member in members {
        guard let place = result.firstIndex(where: { $0.name == member.name }) else {
          result.append(member)
          continue
        }
        if case .members(let first) = result[place].selection, case .members(let second) = member.selection {
          result[place] = Member(name: member.name, selection: .members(FieldMask(merged(first.members + second.members))))
        } else {
          result[place] = Member(name: member.name, selection: .everything)
        }
      }
      return result
    }
  }
}
