extension QuotaStoreURL {
  /// What becomes of an address and a password that is kept apart from it.
  public enum Completion: Equatable, Sendable {
    case added(String)
    /// There is a password in the address already.
    case holdsOne
    /// The store has no passwords.
    case takesNone
  }

  /// Whether the address must not be shown, in a process list for example.
  public static func holdsPassword(_ url: String) -> Bool {
    guard let (user, _) = parts(url)?.split else { return false }
    return user.firstIndex(of: ":").map { $0 != user.index(before: user.endIndex) } ?? false
  }

  /// Puts a password into `redis://[user@]host…` or `unix://[user@]/path…`, whatever characters it has.
  public static func adding(password: String, to url: String) -> Completion {
    guard let parts = parts(url) else { return .takesNone }
    guard !holdsPassword(url) else { return .holdsOne }
    let (user, rest) = parts.split ?? ("".unicodeScalars[...], parts.text)
    let name = user.prefix { $0 != ":" }
    return .added("\(parts.scheme)\(String(name)):\(percentEncoded(password))@\(String(rest))")
  }

  private struct Parts {
    let scheme: String
    /// By scalars: an accent behind a sign would make it another character.
    let text: Substring.UnicodeScalarView

    /// User information and what follows its `@`; nil when there is none. A path of a socket may hold an `@` of its own.
    var split: (user: Substring.UnicodeScalarView, rest: Substring.UnicodeScalarView)? {
      let end = scheme == "unix://" ? text.firstIndex(of: "/") ?? text.endIndex : text.endIndex
      guard let at = text[..<end].lastIndex(of: "@") else { return nil }
      return (text[..<at], text[text.index(after: at)...])
    }
  }

  private static func parts(_ url: String) -> Parts? {
    guard let scheme = ["redis://", "rediss://", "unix://"].first(where: { url.hasPrefix($0) }) else { return nil }
    return Parts(scheme: scheme, text: url.unicodeScalars.dropFirst(scheme.count))
  }

  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
