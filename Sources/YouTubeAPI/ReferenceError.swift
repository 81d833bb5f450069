/// A text that names no channel, video or playlist.
public struct ReferenceError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable { case emptyMessage, unknownReference }

  public let code: Code
  /// A sentence: what is wrong, and what is accepted.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code.rawValue): \(message)" }
}
