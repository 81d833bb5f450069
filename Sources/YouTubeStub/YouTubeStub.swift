import HTTPServer

/// A double of the YouTube Data API v3 on a port of its own, with control endpoints for tests.
public final class YouTubeStub: Sendable {
  private let server: HTTPServer

  public init(_ configuration: StubConfiguration = StubConfiguration()) throws {
    let archive: any Archive =
      if let folder = configuration.recordings {
        try Recordings(folder: folder)
      } else {
        Generator(seed: configuration.seed, channels: configuration.channels, videosPerChannel: configuration.videosPerChannel)
      }
    let state = StubState(quota: QuotaBuckets(default: configuration.defaultQuota, search: configuration.searchQuota))
    let router = Router(
      state: state, archive: archive, control: ControlEndpoints(state: state, archive: archive),
      keys: KeyCheck(accepted: configuration.apiKey),
      latency: configuration.latency)
    server = try HTTPServer(host: configuration.host, port: configuration.port) { router.answer($0) }
  }

  /// `http://host:port`; the API lies below `/youtube/v3/`, the control endpoints below `/stub/`.
  public var address: String { server.address }
  public var port: Int { server.port }

  /// Answers what is under way and stops.
  public func stop(grace: Duration = .seconds(5)) async { await server.stop(grace: grace) }
}
