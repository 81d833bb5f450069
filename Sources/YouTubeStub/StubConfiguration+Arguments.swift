import Telemetry

/// A command line that cannot be understood: the sentence says what is allowed.
public struct UsageError: Error, Equatable {
  public let sentence: String
}

extension StubConfiguration {
  /// What a command line asks for.
  public enum Invocation: Sendable, Equatable {
    case serve(StubConfiguration)
    case help
    case version
  }

  public static let purpose = "a double of the YouTube Data API v3, for tests and demonstrations"

  /// What is to be known beside the options.
  public static let notes = [
    "The first line of standard output is its address. The API is below /youtube/v3/, control endpoints below /stub/.",
    "Keys with a meaning: invalid-key, disabled-key, referrer-key, blocked-key, expired-key.",
  ]

  /// The text of `--help`.
  ///
  /// - Parameter width: columns of the text.
  public static func help(width: Int = 80) -> String {
    var text = HelpText.paragraph("youtube-stub: \(purpose)", width: width) + "\nUsage: youtube-stub [--port N] [options]\n\n"
    text += HelpText.paragraph(notes[0], width: width) + "\n"
    text += HelpText.list(StubOption.all.map { ("\($0.flag) \($0.placeholder)", $0.meaning) }, column: 23, width: width)
    text += "  --help, --version\n\n" + HelpText.paragraph(notes[1], width: width) + "\n"
    return text + HelpText.paragraph(exitCodes, width: width)
  }

  static let exitCodes = "Exit codes: 0 stopped by a signal; 1 cannot listen there; 2 a wrong option, or unusable recordings."

  /// Reads the arguments behind the program's name; `--flag value` and `--flag=value`.
  public static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var configuration = StubConfiguration()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return .help }
      if argument == "--version" { return .version }
      guard argument.hasPrefix("--") else { throw UsageError(sentence: "unexpected argument \(argument)") }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      guard StubOption.all.contains(where: { $0.flag == flag }) else { throw UsageError(sentence: "unknown option \(flag)") }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else { throw UsageError(sentence: "\(flag) needs a value") }
      try configuration.set(flag, value)
    }
    return .serve(configuration)
  }

  private mutating func set(_ flag: String, _ value: String) throws(UsageError) {
    switch flag {
    case "--port": port = try Self.number(flag, value, 0...65_535)
    case "--host": host = try Self.text(flag, value)
    case "--seed":
      guard let number = UInt64(value) else { throw UsageError(sentence: "--seed is a whole number from 0, not \(value)") }
      seed = number
    case "--channels": channels = try Self.number(flag, value, 0...500_000)
    case "--videos": videosPerChannel = try Self.number(flag, value, 0...4_000_000)
    case "--recordings": recordings = try Self.text(flag, value)
    case "--api-key": apiKey = try Self.text(flag, value)
    case "--quota-default": defaultQuota = try Self.number(flag, value, 0...Int.max)
    case "--quota-search": searchQuota = try Self.number(flag, value, 0...Int.max)
    default: latency = try Self.duration(flag, value)
    }
  }

  private static func text(_ flag: String, _ value: String) throws(UsageError) -> String {
    guard !value.isEmpty else { throw UsageError(sentence: "\(flag) must not be empty") }
    return value
  }

  private static func number(_ flag: String, _ value: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      let bound = range.upperBound == .max ? "from \(range.lowerBound)" : "within \(range.lowerBound)...\(range.upperBound)"
      throw UsageError(sentence: "\(flag) is a whole number \(bound), not \(value)")
    }
    return number
  }

  private static func duration(_ flag: String, _ value: String) throws(UsageError) -> Duration {
    let digits = value.prefix { $0.isNumber }
    let units: [String: Int] = ["ms": 1, "": 1_000, "s": 1_000, "m": 60_000, "h": 3_600_000]
    guard let number = Int(digits), number <= 1_000_000_000, let unit = units[String(value.dropFirst(digits.count))] else {
      throw UsageError(sentence: "\(flag) is a duration such as 200ms, 1s, 1m, not \(value)")
    }
    return .milliseconds(number * unit)
  }
}
