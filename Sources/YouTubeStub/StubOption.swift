/// One flag of the executable's command line, for `--help`, manual page and completions.
public struct StubOption: Sendable, Equatable {
  /// With its dashes.
  public let flag: String
  public let placeholder: String
  public let meaning: String

  init(_ flag: String, _ placeholder: String, _ meaning: String) {
    self.flag = flag
    self.placeholder = placeholder
    self.meaning = meaning
  }

  /// All that take a value, in the order of `--help`.
  public static let all: [StubOption] = [
    StubOption("--port", "N", "port, 0 for any free one (default 0)"),
    StubOption("--host", "HOST", "address to listen on (default 127.0.0.1)"),
    StubOption("--seed", "S", "seed of the generated data (default 1)"),
    StubOption("--channels", "N", "numbered channels beside the fixed ones: @stub-channel-0, … (default 0)"),
    StubOption("--videos", "M", "uploads of each numbered channel (default 100)"),
    StubOption("--recordings", "DIR", "serve the recorded answers in a folder of .json files instead of generated data"),
    StubOption("--api-key", "K", "the only key accepted (default: any but those that begin with \"invalid\")"),
    StubOption("--quota-default", "N", "units a day (default 10000)"),
    StubOption("--quota-search", "N", "calls of search.list a day (default 100)"),
    StubOption("--latency", "D", "how long every answer takes: 200ms, 1s, 1m; a bare number is seconds (default 0)"),
  ]
}
