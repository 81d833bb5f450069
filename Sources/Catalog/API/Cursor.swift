/// A place in a list as clients hand it back: opaque, and good for that list only.
struct Cursor: Equatable, Sendable {
  var numbers: [Int]
  var text = ""

  private static let version: UInt8 = 1
  private static let mostNumbers = 4
  /// In bytes of UTF-8.
  static let longestText = 300

  /// - Parameter list: everything that makes the list what it is.
  func encoded(for list: String) -> String {
    var bytes = [Self.version]
    bytes += Self.bytes(Self.hash(list))
    bytes.append(UInt8(clamping: numbers.count))
    for number in numbers { bytes += Self.bytes(UInt64(bitPattern: Int64(number))) }
    bytes += text.utf8.prefix(Self.longestText)
    return Base64URL.encode(bytes)
  }

  /// nil for what is no cursor, or that of another list.
  init?(_ encoded: String, for list: String) {
    guard let bytes = Base64URL.decode(encoded), bytes.count >= 10, bytes[0] == Self.version, Self.number(bytes[1..<9]) == Self.hash(list)
    else { return nil }
    let count = Int(bytes[9])
    guard count <= Self.mostNumbers, bytes.count >= 10 + 8 * count, let text = String(validating: bytes[(10 + 8 * count)...], as: UTF8.self)
    else { return nil }
    numbers = (0..<count).map { Int(Int64(bitPattern: Self.number(bytes[(10 + 8 * $0)..<(18 + 8 * $0)]))) }
    self.text = text
  }

  init(_ numbers: Int..., text: String = "") {
    self.numbers = numbers
    self.text = text
  }

  private static func bytes(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  // FNV-1a. A cursor is no secret: one that is made up names a place, too.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// Base64 with `-` and `_`, without padding (RFC 4648, 5).
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let bits = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - piece.count))
      for index in 0...piece.count { result.append(alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)]) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func decode(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in text.utf8 {
      guard let value = alphabet.firstIndex(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    // What is left of the last byte must be nothing.
    return bits == 0 && count < 6 ? result : nil
  }
}
