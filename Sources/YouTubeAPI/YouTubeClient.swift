public import Telemetry

/// Calls the YouTube Data API v3. Each call waits for quota, is tried again within the process, and ends in a result or a closed failure.
public struct YouTubeClient: Sendable {
  let configuration: ClientConfiguration
  let transport: any HTTPTransport
  let gate: any CallGate
  let retry: any CallRetry
  let logger: Logger
  let observer: (any APICallObserver)?
  let tracer: Tracer
  let history = BucketHistory()

  public init(
    configuration: ClientConfiguration, transport: any HTTPTransport, gate: any CallGate, retry: any CallRetry,
    logger: Logger = .silent, observer: (any APICallObserver)? = nil, tracer: Tracer = .off
  ) {
    self.configuration = configuration
    self.transport = transport
    self.gate = gate
    self.retry = retry
    self.logger = logger
    self.observer = observer
    self.tracer = tracer
  }
}
