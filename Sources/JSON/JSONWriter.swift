/// Writes JSON text into a byte array. The caller keeps the order: `object { $0.member("a", 1) }`.
///
/// An optional that is `nil` writes nothing at all: absent means unknown, and null is never a stand-in.
public struct JSONWriter {
  public private(set) var bytes: [UInt8]
  private var needsComma = false
  private let pretty: Bool
  private var depth = 0

  public init(capacity: Int = 256, pretty: Bool = false) {
    bytes = []
    bytes.reserveCapacity(capacity)
    self.pretty = pretty
  }

  public mutating func object(_ body: (inout JSONWriter) -> Void) { enclosed("{", "}", body) }
  public mutating func array(_ body: (inout JSONWriter) -> Void) { enclosed("[", "]", body) }

  public mutating func member(_ key: StaticString, object body: (inout JSONWriter) -> Void) {
    self.key(key)
    object(body)
  }

  public mutating func member(_ key: StaticString, array body: (inout JSONWriter) -> Void) {
    self.key(key)
    array(body)
  }

  public mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  public mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  public mutating func member(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  public mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  public mutating func member(_ key: StaticString, _ value: JSONTree?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  /// Starts a member whose key is known at compile time and needs no escaping.
  public mutating func key(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    colon()
  }

  /// Starts a member with any key.
  public mutating func key(named key: String) {
    separate()
    quoted(key)
    colon()
  }

  public mutating func value(_ value: String) {
    separate()
    quoted(value)
    needsComma = true
  }

  public mutating func value(_ value: Int) {
    separate()
    if value >= 0 && value < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
    } else {
      bytes.append(contentsOf: String(value).utf8)
    }
    needsComma = true
  }

  /// A number; JSON has none for infinity and NaN, they are written as null.
  public mutating func value(_ value: Double) {
    separate()
    bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
    needsComma = true
  }

  public mutating func value(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  public mutating func value(_ value: JSONTree) {
    switch value {
    case .object(let members):
      object { writer in
        for member in members {
          writer.key(named: member.key)
          writer.value(member.value)
        }
      }
    case .array(let elements): array { writer in for element in elements { writer.value(element) } }
    case .string(let text): self.value(text)
    case .int(let number): self.value(number)
    case .double(let number): self.value(number)
    case .bool(let truth): self.value(truth)
    case .null: null()
    }
  }

  private mutating func enclosed(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: open))
    needsComma = false
    depth += 1
    let start = bytes.count
    body(&self)
    depth -= 1
    if pretty && bytes.count > start { newLine() }
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  private var afterKey = false

  private mutating func colon() {
    bytes.append(UInt8(ascii: ":"))
    if pretty { bytes.append(UInt8(ascii: " ")) }
    needsComma = false
    afterKey = true
  }

  private mutating func separate() {
    if afterKey {
      afterKey = false
      return
    }
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if pretty && depth > 0 { newLine() }
    needsComma = false
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes.append(contentsOf: "  ".utf8) }
  }

  private mutating func quoted(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { append(escaping: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  // Runs without special characters are copied whole: most strings are one run.
  private mutating func append(escaping utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < utf8.count {
      let end = Self.firstSpecial(utf8, from: start)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
      guard end < utf8.count else { return }
      append(escape: utf8[end])
      start = end + 1
    }
  }

  /// The first byte that must be escaped, eight bytes at a time: a control character, a quotation mark or a backslash.
  private static func firstSpecial(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    let raw = UnsafeRawBufferPointer(utf8)
    while position + 8 <= utf8.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if hasByte(word, below: 0x20) || hasZero(word ^ (0x22 * ones)) || hasZero(word ^ (0x5C * ones)) { break }
      position += 8
    }
    while position < utf8.count {
      let byte = utf8[position]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return position }
      position += 1
    }
    return position
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  private static func hasZero(_ word: UInt64) -> Bool { (word &- ones) & ~word & (0x80 &* ones) != 0 }

  // Exact for limits up to 0x80: the highest bit of a byte is set by the subtraction only when the byte is smaller.
  private static func hasByte(_ word: UInt64, below limit: UInt64) -> Bool { (word &- (limit &* ones)) & ~word & (0x80 &* ones) != 0 }

  private mutating func append(escape byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
