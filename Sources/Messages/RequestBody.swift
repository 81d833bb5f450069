import JSON

/// The value of a message that anybody may write: JSON when it begins with a brace, plain text otherwise.
enum RequestBody {
  case json(JSONDocument)
  /// Without white space at either end; never empty.
  case text(String)

  init(_ value: [UInt8]?) throws(PayloadError) {
    guard let value = value.map(Self.withoutMark) else { throw PayloadError(.tombstone, "A null value is no request.") }
    guard let start = value.firstIndex(where: { !Self.isSpace($0) }) else { throw PayloadError(.emptyMessage, "The message is empty.") }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw PayloadError(.invalidUTF8, "The message is no UTF-8 text.")
    }
    if value[start] == UInt8(ascii: "{") || value[start] == UInt8(ascii: "[") {
      do throws(JSONError) { self = .json(try JSONDocument.parse(value)) } catch {
        throw PayloadError(.invalidJSON, "The message begins like JSON but is none: \(error.reason)")
      }
    } else {
      let text = text.trimmingSpace()
      // Blanks that are no ASCII.
      guard !text.isEmpty else { throw PayloadError(.emptyMessage, "The message is empty.") }
      self = .text(text)
    }
  }

  /// Some editors begin every text with a byte order mark.
  static func withoutMark(_ value: [UInt8]) -> [UInt8] {
    value.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(value.dropFirst(3)) : value
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// Ids of requests, which others may choose.
public enum RequestIDText {
  /// In bytes.
  public static let limit = 256

  public static func isUsable(_ id: String) -> Bool { !id.isEmpty && id.utf8.count <= limit }
}

extension FieldReader {
  func requestID() throws(PayloadError) -> String? {
    let id = try string("requestId")
    if let id, !RequestIDText.isUsable(id) {
      throw PayloadError(code, "\"requestId\" must have 1 to \(RequestIDText.limit) bytes.")
    }
    return id
  }
}

extension String {
  /// Without white space at either end.
  func trimmingSpace() -> String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
