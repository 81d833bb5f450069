import Glibc

/// Reads a secret from the file that a `…_FILE` variable names, as Docker, Kubernetes and systemd put them.
enum SecretFile {
  /// A PEM file with a chain of certificates has some kilobytes; whoever names a disk by mistake must not fill the memory.
  private static let mostBytes = 1 << 20

  /// The content without the newline at its end. Throws what names `variable` and `path`, and never the content.
  static func read(_ path: String, variable: String) throws(SettingError) -> String {
    let bytes = try content(path, variable)
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      throw SettingError(variable, "\"\(path)\" holds no text")
    }
    let secret = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
    guard !secret.allSatisfy(\.isWhitespace) else { throw SettingError(variable, "\"\(path)\" is empty") }
    return secret
  }

  private static func content(_ path: String, _ variable: String) throws(SettingError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, variable, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, variable, errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= mostBytes else { throw SettingError(variable, "\"\(path)\" is larger than a secret can be (1 MiB)") }
    }
  }

  private static func unreadable(_ path: String, _ variable: String, _ code: Int32) -> SettingError {
    SettingError(variable, "cannot read \"\(path)\": \(String(cString: strerror(code)))")
  }
}
