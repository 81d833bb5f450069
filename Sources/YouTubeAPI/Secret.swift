import Telemetry

/// A text that must not be seen: it prints and reflects as `***`, and is read on purpose through `reveal()`.
public struct Secret: Sendable, Hashable {
  private let value: String

  public init(_ value: String) { self.value = value }

  /// The text itself, for the place that sends it.
  public func reveal() -> String { value }

  public var isEmpty: Bool { value.isEmpty }

  /// The text with `***` in every place of the secret.
  func hidden(in text: String) -> String { text.hiding(value) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "***" }
  public var debugDescription: String { "***" }
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
