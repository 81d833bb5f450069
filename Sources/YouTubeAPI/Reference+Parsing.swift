extension Reference {
  /// Reads what a person pastes: an id, a handle, a name, or a URL of YouTube with or without scheme.
  ///
  /// A watch URL with a list means the video. Playlist ids are known by their form (`PL…`, `UU…`, `OLAK5uy_…`); a bare video id is not, as
  /// it may be a name. A name with blanks is neither a handle nor a user name: it is refused, unless
  /// `allowSearch` makes it the text of a search.
  public static func parse(_ text: String, allowSearch: Bool = false) throws(ReferenceError) -> Reference {
    let text = try cleaned(text)
    if text.hasPrefix("@") { return try parseHandle(text) }
    if let id = identifier(text) { return id }
    if let url = try ReferenceURL(text) { return try url.reference() }
    if NameText.isName(text) { return .name(text) }
    if allowSearch && NameText.isSearchText(text) && !text.contains("/") { return .name(text) }
    if text.contains(where: \.isWhitespace) && NameText.isSearchText(text) {
      throw .unknown("A name with blanks is neither a handle nor a user name; searching for it needs \"allowSearch\": true.")
    }
    if text.unicodeScalars.count > NameText.limit { throw .unknown("The text is no name: it is longer than \(NameText.limit) characters.") }
    throw .unknown("The text is no name: it holds characters that no handle has.")
  }

  /// Reads the value of one member of a channel request, which already says what it is.
  public static func parse(_ text: String, as form: ReferenceForm, allowSearch: Bool = false) throws(ReferenceError) -> Reference {
    switch form {
    case .channel: return try parse(text, allowSearch: allowSearch)
    case .id: return .id(try resourceID(text, "channel"))
    case .video: return .video(try resourceID(text, "video"))
    case .playlist: return .playlist(try resourceID(text, "playlist"))
    case .handle: return try parseHandle(try cleaned(text))
    case .username:
      let name = try cleaned(text)
      guard NameText.isName(name) else { throw .unknown("The text is no user name.") }
      return .username(name)
    case .url:
      let text = try cleaned(text)
      guard let url = try ReferenceURL(text) else { throw .unknown("The text is no URL of YouTube.") }
      return try url.reference()
    }
  }

  /// `@name`, or the name alone; what follows a slash, `?` or `#` is another part of the address.
  static func parseHandle(_ text: String) throws(ReferenceError) -> Reference {
    let start = text.hasPrefix("@") ? text.dropFirst() : text[...]
    let name = PercentEncoding.decoded(start.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    guard let name, NameText.isName(name) else { throw .unknown("The text after @ is no handle.") }
    return .handle(name)
  }

  private static func resourceID(_ text: String, _ kind: String) throws(ReferenceError) -> String {
    let id = try cleaned(text)
    guard ResourceID.isPlausible(id) else { throw .unknown("The text is no \(kind) id.") }
    return id
  }

  // Ids that cannot be taken for names: handles have at most 30 characters, and none looks like these.
  private static func identifier(_ text: String) -> Reference? {
    let count = text.utf8.count
    guard ResourceID.isPlausible(text) else { return nil }
    if count == 24 && text.hasPrefix("UC") { return .id(text) }
    let isUploads = count == 24 && text.hasPrefix("UU")
    let isList = text.hasPrefix("PL") && (count == 34 || count == 18 && text.dropFirst(2).allSatisfy(\.isHexDigit))
    let isAlbum = text.hasPrefix("OLAK5uy_") && count == 41
    return isUploads || isList || isAlbum ? .playlist(text) : nil
  }

  private static func cleaned(_ text: String) throws(ReferenceError) -> String {
    guard text.utf8.count <= 8000, text.unicodeScalars.count <= 2000 else {
      throw .unknown("The text is longer than 2,000 characters.")
    }
    var result = text.trimming(isMargin)
    while let inner = unquoted(result) { result = inner.trimming(isMargin) }
    guard !result.isEmpty else { throw ReferenceError(code: .emptyMessage, message: "The text is empty. " + ReferenceError.accepted) }
    guard result.unicodeScalars.allSatisfy({ !isForbidden($0) }) else {
      throw .unknown("The text holds control characters or broken UTF-8.")
    }
    return result
  }

  private static func unquoted(_ text: String) -> String? {
    let pairs = [("<", ">"), ("\"", "\""), ("'", "'"), ("“", "”")]
    guard text.count > 1, pairs.contains(where: { text.hasPrefix($0.0) && text.hasSuffix($0.1) }) else { return nil }
    return String(text.dropFirst().dropLast())
  }

  // Blanks of all kinds, and the invisible marks that come along when text is copied.
  private static func isMargin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{200B}", "\u{200E}", "\u{200F}", "\u{FEFF}", "\u{2060}": true
    default: scalar.properties.isWhitespace
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: true
    default: scalar == "\u{FFFD}"
    }
  }
}

extension ReferenceError {
  static let accepted =
    "Give a channel's @handle, name, id (UC and 22 characters) or address on youtube.com, or the address of a video or playlist."

  static func unknown(_ cause: String) -> ReferenceError {
    ReferenceError(code: .unknownReference, message: "\(cause) \(accepted)")
  }
}
