/// The target of a request line, taken apart and decoded.
struct RequestTarget: Equatable {
  var path: String
  var query: [HTTPServer.Parameter]

  init(_ raw: String) {
    var bytes = Array(raw.utf8)[...]
    if let scheme = bytes.firstRange(of: Array("://".utf8)), !bytes[..<scheme.lowerBound].contains(UInt8(ascii: "/")) {
      bytes = bytes[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }
    if let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) { bytes = bytes[..<fragment] }
    let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    path = Self.decode(bytes[..<question], plusIsBlank: false)
    if path.isEmpty { path = "/" }
    query = bytes[question...].dropFirst().split(separator: UInt8(ascii: "&")).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      return HTTPServer.Parameter(
        Self.decode(pair[..<equals], plusIsBlank: true), Self.decode(pair[equals...].dropFirst(), plusIsBlank: true))
    }
  }

  // A percent sign that begins no escape stands for itself, as browsers and Google read it.
  private static func decode(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) {
        result.append(high << 4 | low)
        index += 3
        continue
      }
      result.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
