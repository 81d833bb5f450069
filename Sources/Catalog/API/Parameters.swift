import FoundationEssentials
import HTTPServer
import Telemetry

/// The parameters of an address, each read as what it has to be.
struct Parameters {
  private let query: [HTTPServer.Parameter]

  init(_ query: [HTTPServer.Parameter]) { self.query = query }

  func text(_ name: String, most: Int) throws(Problem) -> String? {
    guard let text = query.first(where: { $0.name == name })?.value else { return nil }
    guard text.unicodeScalars.count <= most else { throw Problem(.badRequest, "\(name) has more than \(most) characters.", field: name) }
    return text
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = try text(name, most: 100) else { return nil }
    guard let number = Self.whole(text), range.contains(number) else {
      throw Problem(.badRequest, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).", field: name)
    }
    return number
  }

  // Int takes a plus sign, too.
  private static func whole(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ? Int(text) : nil
  }

  func word<Word: RawRepresentable & CaseIterable>(_ name: String, default fallback: Word) throws(Problem) -> Word
  where Word.RawValue == String {
    guard let text = try text(name, most: 100) else { return fallback }
    guard let word = Word(rawValue: text) else {
      throw Problem(.badRequest, "\(name) must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")).", field: name)
    }
    return word
  }

  /// Seconds since 1970; a fraction is rounded up, so that what begins then is not before it.
  func time(_ name: String) throws(Problem) -> Int? {
    guard let text = try text(name, most: 100) else { return nil }
    guard let time = Timestamp.parse(text) else {
      throw Problem(.badRequest, "\(name) must be a time such as 2026-01-31T00:00:00Z (RFC 3339).", field: name)
    }
    return Int(time.timeIntervalSince1970.rounded(.up))
  }

  func limit() throws(Problem) -> Int { try integer("limit", in: 1...100) ?? 50 }

  func cursor(for list: String) throws(Problem) -> Cursor? {
    guard let text = try text("cursor", most: 512) else { return nil }
    guard let cursor = Cursor(text, for: list) else {
      throw Problem(
        .badRequest, "cursor is none of this list: take it from the page before, with the same other parameters.", field: "cursor")
    }
    return cursor
  }

  func selection() throws(Problem) -> VideoSelection {
    var selection = VideoSelection()
    selection.sort = try word("sort", default: .newest)
    selection.filter = try word("filter", default: .all)
    selection.publishedAfter = try time("publishedAfter")
    selection.publishedBefore = try time("publishedBefore")
    selection.minDuration = try integer("minDuration", in: 0...1_000_000_000)
    selection.maxDuration = try integer("maxDuration", in: 0...1_000_000_000)
    return selection
  }
}

extension VideoSelection {
  /// What makes it another list, for cursors.
  var name: String {
    let numbers = [publishedAfter, publishedBefore, minDuration, maxDuration].map { $0.map { String($0) } ?? "" }
    return ([sort.rawValue, filter.rawValue] + numbers).joined(separator: "/")
  }
}
