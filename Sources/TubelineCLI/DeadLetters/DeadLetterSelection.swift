import FoundationEssentials
import Messages
import Telemetry
import WorkerApp

/// Which dead letters are meant.
struct DeadLetterSelection: Sendable {
  static let flags = [
    OptionSpecification("--stage", "STAGE,…", "Only these stages: \(StageName.allCases.map(\.rawValue).joined(separator: ", "))."),
    OptionSpecification("--code", "CODE,…", "Only these reasons: \(DeadLetterCode.allCases.map(\.rawValue).joined(separator: ", "))."),
    OptionSpecification("--key", "KEY", "Only messages with this key."),
    OptionSpecification("--since", "TIME", "Only what failed at or after this time: RFC 3339, a date, or how long ago (2h, 7d)."),
    OptionSpecification("--until", "TIME", "Only what failed before this time."),
  ]

  private(set) var stages = StageName.allCases
  private var codes: Set<String> = []
  private var key: [UInt8]?
  private var since: Date?
  private var until: Date?
  /// Letters named one by one; empty is no restriction.
  private(set) var ids: Set<DeadLetterID> = []

  init() {}

  init(_ arguments: ParsedArguments, now: Date) throws(UsageError) {
    let given: [StageName] = try Self.words("--stage", arguments)
    let reasons: [DeadLetterCode] = try Self.words("--code", arguments)
    codes = Set(reasons.map(\.rawValue))
    key = arguments.values["--key"].map { Array($0.utf8) }
    since = try Self.time("--since", arguments, now)
    until = try Self.time("--until", arguments, now)
    if let since, let until, since >= until { throw UsageError("--since must be before --until.") }
    for operand in arguments.operands { ids.insert(try DeadLetterID(parsing: operand)) }
    stages = StageName.allCases.filter { stage in
      (given.isEmpty || given.contains(stage)) && (ids.isEmpty || ids.contains { $0.stage == stage })
    }
    if let stranger = ids.first(where: { !stages.contains($0.stage) }) { throw UsageError("\(stranger) is not of the stage given.") }
  }

  /// Whether nothing restricts it.
  static func isMissing(in arguments: ParsedArguments) -> Bool {
    arguments.operands.isEmpty && flags.allSatisfy { arguments.values[$0.name] == nil }
  }

  func matches(_ letter: DeadLetterRecord) -> Bool {
    guard stages.contains(letter.id.stage), ids.isEmpty || ids.contains(letter.id) else { return false }
    if !codes.isEmpty && letter.code.map(codes.contains) != true { return false }
    if let key, letter.message.key != key { return false }
    guard since != nil || until != nil else { return true }
    // A letter of unknown time is of no time.
    guard let failedAt = letter.failedAt else { return false }
    return failedAt >= since ?? .distantPast && failedAt < until ?? .distantFuture
  }

  private static func words<Word: RawRepresentable & CaseIterable>(_ name: String, _ arguments: ParsedArguments) throws(UsageError)
    -> [Word] where Word.RawValue == String
  {
    guard let text = arguments.values[name] else { return [] }
    var words: [Word] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let word = Word(rawValue: String(part)) else {
        let allowed = Word.allCases.map(\.rawValue)
        let hint = NearestName.of(String(part), among: allowed).map { " Did you mean \($0)?" } ?? ""
        throw UsageError("\(name) takes \(allowed.joined(separator: ", ")); given is \"\(part)\".\(hint)")
      }
      words.append(word)
    }
    return words
  }

  private static func time(_ name: String, _ arguments: ParsedArguments, _ now: Date) throws(UsageError) -> Date? {
    guard let text = arguments.values[name] else { return nil }
    // A bare number would be seconds, but is more likely a year.
    if text.last?.isLetter == true, let ago = SettingValue.duration(text) { return now.addingTimeInterval(-ago.seconds) }
    guard let date = Timestamp.parse(text) ?? Timestamp.parse(text + "T00:00:00Z") else {
      throw UsageError("\(name) must be a time such as 2026-01-31T12:00:00Z, a date, or how long ago, such as 2h; it is \"\(text)\".")
    }
    return date
  }
}
