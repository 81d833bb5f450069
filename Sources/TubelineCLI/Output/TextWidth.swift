/// How many columns of a terminal a text takes.
enum TextWidth {
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// 0 for what stands on its neighbour, 2 for East Asian wide characters and emoji, 1 for the rest.
  static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar.value == 0xFE0F { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  // East Asian Width W and F (https://www.unicode.org/reports/tr11/), in blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  /// At most `columns` wide; what is cut off is shown as `…`.
  static func clipped(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    var result = ""
    var width = 0
    for character in text {
      let next = of(character)
      guard width + next <= max(0, columns - 1) else { break }
      result.append(character)
      width += next
    }
    return columns > 0 ? result + "…" : ""
  }

  static func padded(_ text: String, to columns: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - of(text)))
    return right ? blanks + text : text + blanks
  }
}
