/// Base64 with `-` and `_`, without padding: the alphabet of YouTube's ids, page tokens and etags.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(48)
    var buffer = 0
    var bits = 0
    for byte in bytes {
      buffer = (buffer << 8 | Int(byte)) & 0xffff
      bits += 8
      while bits >= 6 {
        bits -= 6
        result.append(alphabet[buffer >> bits & 63])
      }
    }
    if bits > 0 { result.append(alphabet[buffer << (6 - bits) & 63]) }
    return String(decoding: result, as: UTF8.self)
  }

  static func encode(_ word: UInt64) -> String { withUnsafeBytes(of: word.bigEndian) { encode($0) } }

  /// `nil` for a foreign character, and for unused bits that are not zero: every text has at most one reading.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var result: [UInt8] = []
    var buffer = 0
    var bits = 0
    for character in text.utf8 {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      buffer = (buffer << 6 | Int(value)) & 0xffff
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      result.append(UInt8(buffer >> bits & 255))
    }
    guard bits < 6, buffer & ((1 << bits) - 1) == 0 else { return nil }
    return result
  }

  static func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
