import FoundationEssentials

/// Finds the API key in the environment or in the file that the environment names.
enum APIKey {
  static func read(_ settings: Settings) throws(SettingError) -> String? {
    if let key = settings.text(.apiKey) { return try checked(key, Setting.apiKey.variable) }
    guard let path = settings.text(.apiKeyFile) else { return nil }
    let variable = Setting.apiKeyFile.variable
    guard let data = FileManager.default.contents(atPath: path) else { throw SettingError(variable, "cannot read \"\(path)\"") }
    guard let text = String(validating: data, as: UTF8.self) else { throw SettingError(variable, "\"\(path)\" holds no text") }
    return try checked(text, variable)
  }

  private static func checked(_ text: String, _ variable: String) throws(SettingError) -> String {
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
