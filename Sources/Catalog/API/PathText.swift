/// Text in a path or a query of an address.
enum PathText {
  private static let digits = Array("0123456789ABCDEF")

  /// Percent-encoded, but for what needs none (RFC 3986, unreserved).
  static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}
