import CSimdjson

/// Bytes that are no JSON, with the parser's reason.
public struct JSONError: Error, Equatable, CustomStringConvertible {
  public let reason: String
  public var description: String { reason }

  public init(reason: String) { self.reason = reason }
}

/// A parsed JSON text, read through `root`.
///
/// Parsing is simdjson's (dom::parser): UTF-8 is validated, nesting is limited to 1,024, integers reach from -2⁶³ to 2⁶⁴-1. A
/// number beyond, or beyond the largest Double, reads as a finite Double near it: other fields may be readable all the same.
public final class JSONDocument: @unchecked Sendable {
  // because the native document is never changed after it was parsed, and freed once, in deinit
  private let native: OpaquePointer
  let tape: UnsafePointer<UInt64>
  let strings: UnsafePointer<UInt8>

  public init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var reason: UnsafePointer<CChar>?
    let empty: StaticString = ""
    let start = bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
    guard let native = tl_json_parse(start.assumingMemoryBound(to: CChar.self), bytes.count, &reason) else {
      throw JSONError(reason: reason.map { String(cString: $0) } ?? "no JSON")
    }
    self.native = native
    tape = tl_json_tape(native)
    strings = tl_json_strings(native)
  }

  /// Parses bytes that lie in an array.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
    let result: Result<JSONDocument, JSONError> = bytes.withUnsafeBytes { buffer in
      do throws(JSONError) { return .success(try JSONDocument(buffer)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  deinit { tl_json_free(native) }

  public var root: JSONValue { JSONValue(document: self, index: 1) }
}
