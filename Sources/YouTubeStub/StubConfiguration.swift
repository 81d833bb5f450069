/// What a stub is started with.
public struct StubConfiguration: Sendable, Equatable {
  public var host = "127.0.0.1"
  /// 0 is any free port.
  public var port = 0
  public var seed: UInt64 = 1
  /// Numbered channels beside the fixed ones, and the uploads of each.
  public var channels = 0
  public var videosPerChannel = 100
  /// A folder of recorded answers to serve instead of generated ones.
  public var recordings: String?
  /// The only key accepted; without it any but the known bad ones.
  public var apiKey: String?
  public var defaultQuota = 10_000
  public var searchQuota = 100
  /// How long every answer of the API takes.
  public var latency: Duration = .zero

  public init() {}
}
