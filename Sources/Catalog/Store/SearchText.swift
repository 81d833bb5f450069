/// Text as the full-text index gets it.
///
/// FTS5's unicode61 cuts words at blanks and signs. Writings without blanks are given some, so that a part of a sentence is found as a
/// phrase of single characters; emoji, which it takes for signs, become words.
enum SearchText {
  static func indexed(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value > 0x370 }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isUnspaced(scalar) {
        result.append(contentsOf: " ".unicodeScalars)
        result.append(scalar)
        result.append(contentsOf: " ".unicodeScalars)
      } else if isPicture(scalar) {
        result.append(contentsOf: " emoji\(String(scalar.value, radix: 16)) ".unicodeScalars)
      } else {
        result.append(accented[scalar] ?? scalar)
      }
    }
    return String(result)
  }

  /// unicode61 takes the accents off Latin letters only.
  private static let accented: [Unicode.Scalar: Unicode.Scalar] = [
    "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ό": "ο", "ύ": "υ", "ώ": "ω", "ϊ": "ι", "ϋ": "υ", "ΐ": "ι", "ΰ": "υ", "Ά": "α", "Έ": "ε",
    "Ή": "η",
    "Ί": "ι", "Ό": "ο", "Ύ": "υ", "Ώ": "ω", "Ϊ": "ι", "Ϋ": "υ", "ё": "е", "Ё": "е",
  ]

  /// Whether the index makes a word of some of it.
  static func hasWords(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
        .privateUse:
        true
      default: false
      }
    }
  }

  /// Chinese, Japanese, Thai, Lao, Burmese and Khmer are written without blanks.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E01...0x0E30, 0x0E32...0x0E33, 0x0E40...0x0E46, 0x0E81...0x0EB0, 0x0EB2...0x0EB3, 0x0EC0...0x0EC6, 0x1000...0x102A,
      0x1780...0x17B3, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2190...0x23FF, 0x2460...0x2BFF, 0x1F000...0x1FAFF: scalar.properties.isEmoji
    default: false
    }
  }
}
