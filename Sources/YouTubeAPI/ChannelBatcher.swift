/// Joins channel look-ups of concurrent callers: ids go 50 to a call, and the same id, handle or user name is asked for only once at a time.
public actor ChannelBatcher {
  private let client: YouTubeClient
  private let linger: Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// `linger` is how long the first id waits for others; `sleep` is the clock's.
  public init(
    client: YouTubeClient, linger: Duration = .milliseconds(20),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.client = client
    self.linger = linger
    self.sleep = sleep
  }

  /// `nil` if there is no such channel.
  public func channel(id: String) async throws(APIFailure) -> Channel? { nil }
  public func channel(forHandle handle: String) async throws(APIFailure) -> Channel? { nil }
  public func channel(forUsername username: String) async throws(APIFailure) -> Channel? { nil }
}
