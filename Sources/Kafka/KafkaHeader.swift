/// A header of a record; a null value and an empty one are different.
public struct KafkaHeader: Hashable, Sendable {
  public let name: String
  public let value: [UInt8]?

  public init(name: String, value: [UInt8]?) {
    self.name = name
    self.value = value
  }

  public init(_ name: String, _ text: String) { self.init(name: name, value: Array(text.utf8)) }
}
