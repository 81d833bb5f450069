/// An id as a key: only the same bytes are the same id. Swift's strings are equal, too, where Unicode writes one sign in two ways.
public struct ExactText: Hashable, Sendable {
  public let text: String

  public init(_ text: String) { self.text = text }

  public static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
