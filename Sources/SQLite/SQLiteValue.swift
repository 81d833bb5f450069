/// A value to bind or a value of a column.
public enum SQLiteValue: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByNilLiteral
{
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case blob([UInt8])

  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(nilLiteral: ()) { self = .null }

  public init(_ value: Int?) { self = value.map(SQLiteValue.integer) ?? .null }
  public init(_ value: String?) { self = value.map(SQLiteValue.text) ?? .null }
  public init(_ value: Double?) { self = value.map(SQLiteValue.real) ?? .null }
}
