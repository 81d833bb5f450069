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

  public static let help = """
    youtube-stub: a double of the YouTube Data API v3, for tests and demonstrations

    Usage: youtube-stub --port N [options]
    The first line of standard output is its address. The API is below /youtube/v3/, control endpoints below /stub/.

      --port N             port, 0 for any free one (default 0)
      --host HOST          address to listen on (default 127.0.0.1)
      --seed S             seed of the generated data (default 1)
      --channels N         numbered channels beside the fixed ones: @stub-channel-0, … (default 0)
      --videos M           uploads of each numbered channel (default 100)
      --recordings DIR     serve the recorded answers in a folder of .json files instead of generated data
      --api-key K          the only key accepted (default: any but those that begin with "invalid")
      --quota-default N    units a day (default 10000)
      --quota-search N     search.list calls a day (default 100)
      --latency D          how long every answer takes: 200ms, 1s, 1m; a bare number is seconds (default 0)
      --help, --version

    Keys with a meaning: invalid-key, disabled-key, referrer-key, blocked-key, expired-key.

    """

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
      guard Self.flags.contains(flag) else { throw UsageError(sentence: "unknown option \(flag)") }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else { throw UsageError(sentence: "\(flag) needs a value") }
      try configuration.set(flag, value)
    }
    return .serve(configuration)
  }

  private static let flags: Set<String> = [
    "--port", "--host", "--seed", "--channels", "--videos", "--recordings", "--api-key", "--quota-default", "--quota-search", "--latency",
  ]

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
