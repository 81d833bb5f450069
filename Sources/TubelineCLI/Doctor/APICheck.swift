import FoundationEssentials
import HTTPClient
import Quota
import QuotaStores
import Stages
import Telemetry
import WorkerApp
import YouTubeAPI

/// The checks of the way to YouTube.
struct APICheck: Sendable {
  let configuration: AppConfiguration
  let isKeySet: Bool
  private static let mostSkew = 60.0

  func key() -> Finding {
    isKeySet
      ? .ok("API key", "set (it is not shown; --spend tells whether YouTube accepts it)")
      : .problem("API key", "not set", mend: "set YOUTUBE_API_KEY, or YOUTUBE_API_KEY_FILE to the path of a file that holds the key")
  }

  /// An unauthenticated request: costs nothing, and its answer carries the server's time.
  func reachability() async -> [Finding] {
    let transport = CurlTransport()
    defer { transport.close() }
    let request = HTTPRequest(baseURL: configuration.api.baseURL, path: "/", query: [], headers: [], timeout: .seconds(10))
    do throws(TransportError) {
      let response = try await transport.send(request)
      let reached = Finding.ok("API", "\(configuration.api.baseURL) answers")
      guard let theirs = response.header("Date").flatMap(HTTPDate.parse) else {
        return [reached, .unknown("clock", "the API tells no time")]
      }
      return [reached, Self.clock(skew: Date().timeIntervalSince(theirs))]
    } catch {
      return [.problem("API", "\(configuration.api.baseURL): \(error)", mend: "check the network, proxies and YOUTUBE_API_URL")]
    }
  }

  static func clock(skew: Double) -> Finding {
    let seconds = Int(skew.rounded())
    guard abs(skew) > mostSkew else { return .ok("clock", "within a minute of the API's") }
    return .problem(
      "clock", "\(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") the API's",
      mend: "synchronise the clock (chrony, systemd-timesyncd): an sqlite ledger takes the day from it")
  }

  /// One unit: Google's own channel.
  func spend() async -> Finding {
    do {
      return try await Ledger.use(configuration) { store in
        let gate = OneShotGate(store: store, policy: configuration.quotaPolicy)
        let client = YouTubeClient(
          configuration: configuration.api, transport: CurlTransport(), gate: gate, retry: BackoffRetry())
        do throws(APIFailure) {
          _ = try await client.channels(ids: ["UCK8sQmJBp8GCxrOtXWBpyEA"])
          return .ok("API call", "channels.list works; 1 unit was spent")
        } catch {
          if let refusal = gate.refusal { return .problem("API call", "not made: \(refusal)", mend: "wait, or see: tubeline quota show") }
          if case .configuration(let error, let fix) = error { return .problem("API call", "\(error)", mend: fix) }
          return .problem("API call", "\(error)", mend: "try again later; if it stays, see https://status.cloud.google.com")
        }
      }
    } catch {
      return .problem("API call", "\(error)", mend: "see the quota store above")
    }
  }
}

/// The dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func parse(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp.parse("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
