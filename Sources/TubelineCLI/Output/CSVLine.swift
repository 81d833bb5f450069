/// Comma-separated values as RFC 4180 has them: CRLF, quotes doubled.
enum CSVLine {
  static func text(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ cell: String) -> String {
    let needsQuotes = cell.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes || cell.first == " " || cell.last == " " else { return cell }
    // By scalars: a quotation mark with an accent on it is another character to Swift, but a quotation mark to who reads the file.
    var quoted = "\"".unicodeScalars
    for scalar in cell.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// Free text that a spreadsheet would run as a formula gets an apostrophe in front, which it takes for "this is text".
  static func disarmed(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"].contains(first) else {
      return text
    }
    return "'" + text
  }
}
