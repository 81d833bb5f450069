/// Text as search.list gives it: escaped for HTML, and descriptions cut.
enum HTMLText {
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func shortened(_ text: String) -> String {
    let line = text.replacing("\n", with: " ")
    guard line.count > 160 else { return line }
    let cut = line.prefix(157)
    return (cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut) + " ..."
  }
}
