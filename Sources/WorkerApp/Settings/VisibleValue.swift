/// A setting's value as an error may show it: whatever setting it was meant for, addresses may hold passwords and keys.
enum VisibleValue {
  static func of(_ value: String) -> String {
    // By scalars: an accent behind a sign would make it another character.
    var text = value.unicodeScalars[...]
    var start = ""
    if let scheme = text.firstRange(of: "://".unicodeScalars) {
      start = String(text[..<scheme.upperBound])
      text = text[scheme.upperBound...]
    }
    if let at = text.lastIndex(of: "@"), !start.isEmpty || text[..<at].contains(":") {
      text = Substring("***" + String(text[at...])).unicodeScalars
    }
    if !start.isEmpty, let query = text.firstIndex(of: "?") { text = Substring(String(text[...query]) + "***").unicodeScalars }
    return start + String(text)
  }
}
