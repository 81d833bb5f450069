/// Handles, user names and custom names: letters and digits of any script, and a few marks between them.
enum NameText {
  static let limit = 100

  static func isName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard !scalars.isEmpty, scalars.count <= limit, scalars.allSatisfy(isPlausible) else { return false }
    return scalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  /// A text that makes sense as the words of a search.
  static func isSearchText(_ text: String) -> Bool {
    text.unicodeScalars.count <= limit && text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  /// For comparing: handles ignore case. (Swift's own comparison ignores how a character is composed.)
  static func folded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      // İ would become two, and a name of full length one that is too long.
      result.append(lower.count == 1 ? lower.first ?? scalar : scalar)
    }
    return String(result)
  }

  private static func isPlausible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "_", "-", ".", "·", "・": return true
    // Joiners shape words in Persian and in Indic scripts.
    case "\u{200C}", "\u{200D}": return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .decimalNumber,
      .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }
}
