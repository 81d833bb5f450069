/// Percent-encoding of query components (https://www.rfc-editor.org/rfc/rfc3986#section-2.1), and the way back.
enum PercentEncoding {
  /// Appends a text; all but unreserved characters and the comma become `%XX`, so `+`, `&` and blanks keep their meaning.
  static func append(_ text: String, to target: inout String) {
    if text.utf8.allSatisfy(isPlain) {
      target += text
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3)
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
    target += String(decoding: bytes, as: UTF8.self)
  }

  /// The decoded text; a `%` without two hexadecimal digits stands for itself. `nil` if the result is no UTF-8.
  static func decoded(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = nibble(bytes[index + 1]), let low = nibble(bytes[index + 2]) {
        result.append(high << 4 | low)
        index += 3
        continue
      }
      result.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
      index += 1
    }
    return String(validating: result, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  // A comma separates ids and parts, and is allowed unencoded in a query.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","): true
    default: false
    }
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
