/// The system's time zone data is missing or unusable; the message says how to mend it.
public struct TimeZoneDataError: Error, Sendable, Equatable, CustomStringConvertible {
  public let message: String
  public var description: String { message }

  public init(message: String) { self.message = message }
}
