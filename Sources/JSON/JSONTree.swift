/// A JSON value that owns its parts, for texts that are built, edited or kept: the parsed document needs no longer live.
public enum JSONTree: Sendable, Equatable {
  case object([Member])
  case array([JSONTree])
  case string(String)
  case int(Int)
  case double(Double)
  case bool(Bool)
  case null

  public struct Member: Sendable, Equatable {
    public var key: String
    public var value: JSONTree

    public init(_ key: String, _ value: JSONTree) {
      self.key = key
      self.value = value
    }
  }

  /// The member's value; setting `nil` removes it, setting a new key appends it. On anything but an object it reads `nil` and is not set.
  public subscript(_ key: String) -> JSONTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var int: Int? { if case .int(let value) = self { value } else { nil } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var elements: [JSONTree]? { if case .array(let value) = self { value } else { nil } }
  public var members: [Member]? { if case .object(let value) = self { value } else { nil } }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONTree)...) { self = .object(elements.map { Member($0.0, $0.1) }) }
}

extension JSONTree {
  /// A copy of a parsed value.
  public init(_ value: JSONValue) {
    switch value.kind {
    case .object: self = .object(value.members.map { Member($0.key, JSONTree($0.value)) })
    case .array: self = .array(value.elements.map { JSONTree($0) })
    case .string: self = .string(value.string ?? "")
    case .number: self = value.int.map { .int($0) } ?? .double(value.double ?? 0)
    case .boolean: self = .bool(value.bool ?? false)
    case .null: self = .null
    }
  }

  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONTree {
    JSONTree(try JSONDocument.parse(bytes).root)
  }

  /// The text without white space between tokens, or with two blanks of indentation a level.
  public func bytes(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.value(self)
    return writer.bytes
  }
}
