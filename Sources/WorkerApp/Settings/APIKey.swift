/// Finds the API key in the environment or in the file that the environment names.
enum APIKey {
  static func read(_ settings: Settings) throws(SettingError) -> String? {
    guard let (text, variable) = try settings.secret(.apiKey, orFile: .apiKeyFile) else { return nil }
    let key = text.drop(while: \.isWhitespace)
    let end = key.lastIndex { !$0.isWhitespace }.map { key.index(after: $0) } ?? key.startIndex
    let trimmed = String(key[..<end])
    // A key goes into a header: anything else than visible ASCII would break the request, and is no key.
    guard !trimmed.isEmpty, trimmed.utf8.count <= 200, trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw SettingError(variable, "holds no API key: a key is one line of up to 200 visible ASCII characters")
    }
    return trimmed
  }
}
