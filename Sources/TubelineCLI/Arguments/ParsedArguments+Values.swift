import FoundationEssentials
import Telemetry

extension ParsedArguments {
  /// The value of a flag as a whole number within a range.
  func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
      throw UsageError("\(name) must be a whole number, \(range.lowerBound) \(most); it is \"\(text)\".")
    }
    return number
  }

  /// The value of a flag as one of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(_ name: String) throws(UsageError) -> Word? where Word.RawValue == String {
    guard let text = values[name] else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue)
      let allowed = words.count == 1 ? "\"\(words[0])\"" : "one of \(words.joined(separator: ", "))"
      throw UsageError("\(name) must be \(allowed); it is \"\(text)\".")
    }
    return word
  }

  /// The value of a flag as a time: RFC 3339, or a date, which means its first moment in UTC.
  func time(_ name: String) throws(UsageError) -> Date? {
    guard let text = values[name] else { return nil }
    guard let date = Timestamp.parse(text) ?? Timestamp.parse(text + "T00:00:00Z") else {
      throw UsageError("\(name) must be a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z; it is \"\(text)\".")
    }
    return date
  }

  /// Refuses operands where a command takes none.
  func expectNoOperands() throws(UsageError) {
    if let first = operands.first { throw UsageError("This command takes flags only; \"\(first)\" is none.") }
  }
}
