/// What a person types into the search field, as an FTS5 expression. Nothing in it is an operator.
struct TextQuery: Equatable {
  /// The last word may be unfinished; nil when no word is in it: then nothing is found.
  let expression: String?
  /// Whole words only.
  let wholeExpression: String?
  /// The words and phrases as they were understood.
  let terms: [String]

  // More words than this make nothing clearer, and each costs time.
  private static let mostTerms = 12

  init(_ text: String) {
    let parts = Self.parts(of: text).filter { SearchText.hasWords(SearchText.indexed($0.text)) }.prefix(Self.mostTerms)
    terms = parts.map(\.text)
    let words = parts.map { (quoted: "\"" + Self.escaped(SearchText.indexed($0.text)) + "\"", part: $0) }
    wholeExpression = words.isEmpty ? nil : words.map(\.quoted).joined(separator: " AND ")
    expression =
      words.isEmpty
      ? nil : words.map { $0.part.isOpen && Self.mayBeContinued($0.part.text) ? $0.quoted + " *" : $0.quoted }.joined(separator: " AND ")
  }

  /// Only in the titles.
  var titleExpression: String? { expression.map { "{title} : (\($0))" } }

  private struct Part {
    var text: String
    /// The last word, which may be unfinished.
    var isOpen = false
  }

  // By scalars: an accent behind a quotation mark would make it another character.
  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var current = String.UnicodeScalarView()
    var isPhrase = false
    func end(isOpen: Bool = false) {
      if !current.isEmpty { parts.append(Part(text: String(current), isOpen: isOpen)) }
      current = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars where scalar.value != 0 {
      if scalar == "\"" {
        end()
        isPhrase.toggle()
      } else if scalar.properties.isWhitespace && !isPhrase {
        end()
      } else {
        current.append(scalar)
      }
    }
    end(isOpen: true)
    return parts
  }

  private static func escaped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\"" }))
  }

  // One letter begins a tenth of all words: that would be slow, and say little.
  private static func mayBeContinued(_ text: String) -> Bool { text.unicodeScalars.count >= 2 }
}
