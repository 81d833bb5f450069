/// A setting's value as an error may show it: whatever setting it was meant for, addresses may hold passwords and keys.
enum VisibleValue {
  static func of(_ value: String) -> String {
    var text = value[...]
    var start = ""
    if let scheme = text.firstRange(of: "://") {
      start = String(text[..<scheme.upperBound])
      text = text[scheme.upperBound...]
    }
    if let at = text.lastIndex(of: "@"), !start.isEmpty || text[..<at].contains(":") { text = "***" + text[at...] }
    if !start.isEmpty, let query = text.firstIndex(of: "?") { text = text[...query] + "***" }
    return start + text
  }
}
