/// A reply (https://redis.io/docs/latest/develop/reference/protocol-spec/), its bytes copied.
public enum RedisValue: Sendable, Equatable {
  case null
  case integer(Int)
  /// `OK` and other simple strings.
  case status(String)
  case bytes([UInt8])
  case array([RedisValue])
  /// An error inside an array; an error as a whole reply is thrown.
  case error(String)

  /// Text of a simple or bulk string (invalid UTF-8 repaired), or digits of an integer.
  public var string: String? {
    switch self {
    case .status(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .integer(let number): String(number)
    case .null, .array, .error: nil
    }
  }

  /// An integer, or a string of digits.
  public var int: Int? {
    if case .integer(let number) = self { return number }
    return string.flatMap { Int($0) }
  }

  public var array: [RedisValue]? {
    if case .array(let values) = self { return values }
    return nil
  }
}
