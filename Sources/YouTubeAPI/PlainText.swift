/// Turns the API's HTML-flavoured texts into plain ones.
enum PlainText {
  /// Replaces character references (`&amp;`, `&#39;`, `&#x27;`) once: `&amp;lt;` becomes `&lt;`.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "&", let (decoded, end) = reference(at: rest) {
        result.append(decoded)
        rest = rest[end...]
      } else {
        result.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// One line of at most `limit` characters for logs and messages: no tags, no control characters, no secret.
  static func sanitised(_ text: String, limit: Int = 500, hiding secret: Secret? = nil) -> String {
    // Before the cut, which could leave a part of the secret, and again when tags and entities are gone, which could break it up.
    let shown = String((secret?.hidden(in: text) ?? text).unicodeScalars.prefix(limit * 8))
    let bare = unescaped(withoutTags(shown))
    let plain = secret?.hidden(in: bare) ?? bare
    var result = String.UnicodeScalarView()
    var isBlankDue = false
    var count = 0
    for scalar in plain.unicodeScalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        isBlankDue = count > 0
        continue
      }
      count += isBlankDue ? 2 : 1
      guard count <= limit else {
        result.append("…")
        break
      }
      if isBlankDue { result.append(" ") }
      isBlankDue = false
      result.append(scalar)
    }
    return String(result)
  }

  // Only what looks like a tag goes: "a < b" stays.
  private static func withoutTags(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
    var result = Substring.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "<", let second = rest.dropFirst().first, second == "/" || second == "!" || second.properties.isAlphabetic,
        let end = rest.firstIndex(of: ">")
      {
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  private static func reference(at text: Substring.UnicodeScalarView) -> (Unicode.Scalar, String.Index)? {
    let body = text.dropFirst().prefix(10)
    guard let end = body.firstIndex(of: ";"), let scalar = named(String(Substring(body[..<end]))) else { return nil }
    return (scalar, text.index(after: end))
  }

  private static func named(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    default: break
    }
    guard name.utf8.first == UInt8(ascii: "#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    guard let first = (isHexadecimal ? digits.dropFirst() : digits).utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits), value != 0
    else { return nil }
    return Unicode.Scalar(value)
  }
}
