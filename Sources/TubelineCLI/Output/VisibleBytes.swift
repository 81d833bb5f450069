import Telemetry

/// Bytes from outside, made harmless for a terminal without hiding what they are.
enum VisibleBytes {
  /// One line: text with its control characters as pictures, or `0x…` for what is no text.
  static func line(_ bytes: [UInt8]) -> String {
    isBinary(bytes) ? "0x" + bytes.map(hex).joined() : text(bytes[...])
  }

  /// The lines of a text, or a hex dump of what is no text.
  static func lines(_ bytes: [UInt8]) -> [String] {
    guard !isBinary(bytes) else { return hexDump(bytes) }
    return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(text)
  }

  /// Whether more than three tenths are neither text nor white space.
  static func isBinary(_ bytes: [UInt8]) -> Bool {
    var strange = 0
    scan(bytes[...]) { piece in
      switch piece {
      case .scalar(let scalar):
        if scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value) || scalar.value == 0x7F { strange += 1 }
      case .invalid: strange += 1
      }
    }
    return strange * 10 > bytes.count * 3
  }

  /// Offset, sixteen bytes and their ASCII, as hexdump -C shows them.
  static func hexDump(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 16).map { start in
      let row = bytes[start..<min(start + 16, bytes.count)]
      let offset = String(start, radix: 16)
      let numbers = row.map(hex).joined(separator: " ")
      let ascii = row.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." }
      return String(repeating: "0", count: max(0, 8 - offset.count)) + offset + "  "
        + numbers + String(repeating: " ", count: 47 - numbers.count) + "  |" + String(ascii) + "|"
    }
  }

  private enum Piece {
    case scalar(Unicode.Scalar)
    case invalid(UInt8)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    scan(bytes) { piece in
      switch piece {
      case .scalar(let scalar) where scalar.value < 0x20: scalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case .scalar(let scalar): scalars.append(scalar)
      case .invalid(let byte): scalars.append(contentsOf: "<0x\(hex(byte))>".unicodeScalars)
      }
    }
    return VisibleText.of(String(scalars))
  }

  private static func scan(_ bytes: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
    var parser = Unicode.UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var position = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        body(.scalar(Unicode.UTF8.decode(encoded)))
        position += encoded.count
      case .error(let length):
        for byte in bytes[position..<position + length] { body(.invalid(byte)) }
        position += length
      case .emptyInput: return
      }
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 0x10 ? "0" + digits : digits
  }
}
