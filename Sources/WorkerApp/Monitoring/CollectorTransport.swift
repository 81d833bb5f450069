import HTTPClient
import OpenTelemetry
import YouTubeAPI

/// OTLP over HTTP, through a client of its own: what the collector does is of no consequence to calls of the API.
struct CollectorTransport: OTLPTransport {
  private let client: CurlTransport
  private let endpoint: String
  private let headers: [HTTPField]
  private let timeout: Duration

  /// - Parameter endpoint: the complete address, such as `http://collector:4318/v1/traces`.
  init(endpoint: String, headers: [(name: String, value: String)], timeout: Duration) {
    var limits = CurlTransport.Limits()
    limits.connectionsPerHost = 1
    limits.maximumBodySize = 1 << 20
    client = CurlTransport(limits: limits)
    self.endpoint = endpoint
    let own = [HTTPField("Content-Type", "application/json"), HTTPField("User-Agent", ClientConfiguration.defaultUserAgent)]
    self.headers = own + headers.map { HTTPField($0.name, $0.value) }
    self.timeout = timeout
  }

  func post(_ body: [UInt8]) async -> OTLPAnswer {
    let request = HTTPRequest(baseURL: endpoint, path: "", headers: headers, timeout: timeout, body: body)
    do throws(TransportError) {
      let response = try await client.send(request)
      let seconds = response.header("Retry-After").flatMap { Int($0) }
      return .status(response.status, retryAfter: seconds.map { .seconds($0) }, body: response.body)
    } catch { return .none(error.description) }
  }

  func close() { client.close() }
}
