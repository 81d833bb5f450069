import Glibc

/// A place in a parsed document: cheap to copy, and it keeps the document alive.
///
/// Reading is tolerant by design: a field of another type than asked for reads as `nil`, as if it were absent.
public struct JSONValue: Sendable {
  public enum Kind: Sendable { case object, array, string, number, boolean, null }

  let document: JSONDocument
  let index: Int

  var word: UInt64 { document.tape[index] }
  var tag: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }
  var payload: Int { Int(truncatingIfNeeded: word & 0x00FF_FFFF_FFFF_FFFF) }

  public var kind: Kind {
    switch tag {
    case Tag.object: .object
    case Tag.array: .array
    case Tag.string: .string
    case Tag.true, Tag.false: .boolean
    case Tag.null: .null
    default: .number
    }
  }

  public var isNull: Bool { tag == Tag.null }

  public var bool: Bool? {
    switch tag {
    case Tag.true: true
    case Tag.false: false
    default: nil
    }
  }

  public var string: String? {
    guard tag == Tag.string else { return nil }
    return String(decoding: utf8, as: UTF8.self)
  }

  /// A whole number that fits; a number with a fraction is none.
  public var int: Int? {
    switch tag {
    case Tag.int64: Int(Int64(bitPattern: document.tape[index + 1]))
    case Tag.uint64: Int(exactly: document.tape[index + 1])
    case Tag.double: Int(exactly: Double(bitPattern: document.tape[index + 1]))
    default: nil
    }
  }

  public var double: Double? {
    switch tag {
    case Tag.int64: Double(Int64(bitPattern: document.tape[index + 1]))
    case Tag.uint64: Double(document.tape[index + 1])
    case Tag.double: Double(bitPattern: document.tape[index + 1])
    default: nil
    }
  }

  /// A whole number up to 2⁵³, written as a number or, as the YouTube API writes every uint64, as a string of digits.
  public var count: Int? {
    // What every JSON reader can hold: a larger one could not be written into a message that all can read.
    let range = 0...(1 << 53)
    if let int { return range.contains(int) ? int : nil }
    guard tag == Tag.string, !utf8.isEmpty, utf8.count <= 18 else { return nil }
    var result = 0
    for byte in utf8 {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      result = result * 10 + Int(byte) - 0x30
    }
    return range.contains(result) ? result : nil
  }

  /// The member of an object; `nil` when there is none or this is no object. Of doubled keys the first counts.
  public subscript(_ key: StaticString) -> JSONValue? {
    guard tag == Tag.object else { return nil }
    return member(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
  }

  public subscript(named key: String) -> JSONValue? {
    guard tag == Tag.object else { return nil }
    var key = key
    return key.withUTF8 { member($0) }
  }

  /// The elements of an array; empty for anything else.
  public var elements: JSONElements { JSONElements(of: self) }

  /// The members of an object; empty for anything else.
  public var members: JSONMembers { JSONMembers(of: self) }

  var utf8: UnsafeBufferPointer<UInt8> { Self.utf8(document.strings + payload) }

  // The string buffer holds each string as a 32-bit length, its bytes, and a NUL.
  private static func utf8(_ start: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return UnsafeBufferPointer(start: start + 4, count: Int(length))
  }

  /// The index behind this value on the tape.
  var next: Int { Self.next(document.tape, index) }

  private static func next(_ tape: UnsafePointer<UInt64>, _ index: Int) -> Int {
    let word = tape[index]
    switch UInt8(truncatingIfNeeded: word >> 56) {
    case Tag.object, Tag.array: return Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
    case Tag.int64, Tag.uint64, Tag.double: return index + 2
    default: return index + 1
    }
  }

  // Walks the tape itself: a JSONValue for each key passed over would be a retain and a release.
  private func member(_ wanted: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    let tape = document.tape
    let strings = document.strings
    let end = next - 1
    var position = index + 1
    while position < end {
      let key = Self.utf8(strings + Int(truncatingIfNeeded: tape[position] & 0x00FF_FFFF_FFFF_FFFF))
      if key.count == wanted.count, isEqual(key, wanted) { return JSONValue(document: document, index: position + 1) }
      position = Self.next(tape, position + 1)
    }
    return nil
  }

  private func isEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let left = left.baseAddress, let start = right.baseAddress else { return right.isEmpty }
    return memcmp(left, start, right.count) == 0
  }

  enum Tag {
    static let object = UInt8(ascii: "{")
    static let array = UInt8(ascii: "[")
    static let string = UInt8(ascii: "\"")
    static let int64 = UInt8(ascii: "l")
    static let uint64 = UInt8(ascii: "u")
    static let double = UInt8(ascii: "d")
    static let `true` = UInt8(ascii: "t")
    static let `false` = UInt8(ascii: "f")
    static let null = UInt8(ascii: "n")
  }
}

/// The elements of a JSON array, in order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var position: Int
  private let end: Int

  init(of value: JSONValue) {
    document = value.document
    let isArray = value.tag == JSONValue.Tag.array
    position = value.index + 1
    end = isArray ? value.next - 1 : position
  }

  public mutating func next() -> JSONValue? {
    guard position < end else { return nil }
    let value = JSONValue(document: document, index: position)
    position = value.next
    return value
  }
}

/// The members of a JSON object, in the order of the text.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var position: Int
  private let end: Int

  init(of value: JSONValue) {
    document = value.document
    let isObject = value.tag == JSONValue.Tag.object
    position = value.index + 1
    end = isObject ? value.next - 1 : position
  }

  public mutating func next() -> (key: String, value: JSONValue)? {
    guard position < end else { return nil }
    let key = JSONValue(document: document, index: position).string ?? ""
    let value = JSONValue(document: document, index: position + 1)
    position = value.next
    return (key, value)
  }
}
