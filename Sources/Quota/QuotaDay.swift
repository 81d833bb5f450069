public import FoundationEssentials

/// The time between two resets, `start ..< end` in milliseconds since 1970.
public struct QuotaDay: Sendable, Hashable {
  public let start: Int
  public let end: Int

  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  public var length: Int { end - start }
  public var startsAt: Date { Date(milliseconds: start) }
  public var endsAt: Date { Date(milliseconds: end) }

  func contains(_ time: Int) -> Bool { start <= time && time < end }
}

extension Date {
  init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
