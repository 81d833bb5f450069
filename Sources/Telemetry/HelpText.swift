/// Lays out what `--help` says.
public enum HelpText {
  /// Longer lines are hard to read.
  private static let widest = 100
  private static let narrowest = 24
  /// Below it, what a name means stands under the name.
  private static let narrow = 72

  /// Columns for text on a stream: the terminal's, at most 100; 80 where it is no terminal or does not tell.
  public static func width(of stream: Console.Stream) -> Int { width(columns: stream.columns) }

  static func width(columns: Int?) -> Int { max(narrowest, min(widest, columns ?? 80)) }

  /// Words in lines of at most so many columns; line breaks and runs of blanks count as one blank.
  public static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = [""]
    for word in text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
      if let last = lines.last, !last.isEmpty, last.count + 1 + word.count > columns { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }

  /// A paragraph, with a line break at its end.
  public static func paragraph(_ text: String, width: Int, indent: Int = 0) -> String {
    let blanks = String(repeating: " ", count: indent)
    return wrapped(text, to: width - indent).map { blanks + $0 + "\n" }.joined()
  }

  /// Where meanings begin in a text that may be too narrow for names beside them.
  public static func indent(_ column: Int, _ width: Int) -> Int { width < narrow ? 6 : column }

  /// Names, and beside them what they mean.
  /// - Parameter column: where meanings begin; a longer name has its own line.
  public static func list(_ rows: [(name: String, meaning: String)], column: Int, width: Int) -> String {
    let column = indent(column, width)
    return rows.map { name, meaning in
      let meaning = paragraph(meaning, width: width, indent: column)
      guard name.count + 4 <= column else { return "  \(name)\n\(meaning)" }
      return "  \(name)" + meaning.dropFirst(2 + name.count)
    }.joined()
  }
}
