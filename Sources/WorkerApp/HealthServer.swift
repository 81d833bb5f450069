import HTTPServer
import JSON
import Pipeline
import Quota
import Telemetry

/// /healthz, /readyz and /metrics.
struct HealthServer: Sendable {
  private let server: HTTPServer

  init(host: String, port: Int, worker: Worker, gate: QuotaGate, metrics: Metrics) throws {
    server = try HTTPServer(host: host, port: port, limits: Self.limits) { request in
      guard request.method == "GET" || request.method == "HEAD" else { return .text("Only GET is served here.\n", status: 405) }
      switch request.path {
      case "/healthz": return .text("ok\n")
      case "/readyz": return await Self.readiness(worker, gate)
      case "/metrics":
        await worker.updateGauges()
        await QuotaMetrics.update(metrics, gate)
        ProcessMetrics.update(metrics)
        return .text(metrics.exposition(), type: "text/plain; version=0.0.4; charset=utf-8")
      default: return .text("Here are /healthz, /readyz and /metrics.\n", status: 404)
      }
    }
  }

  // Probes and scrapers: small requests without bodies, and few at a time.
  private static var limits: HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    limits.bodyBytes = 4096
    limits.headerBytes = 16 << 10
    limits.connections = 500
    limits.requestTimeout = .seconds(10)
    limits.answerTimeout = .seconds(30)
    limits.idleTimeout = .seconds(30)
    return limits
  }

  var address: String { server.address }

  func stop() async { await server.stop() }

  /// A worker that waits for quota is ready: it is alive, keeps its partitions and goes on by itself. So is a spare one, for which no
  /// partition is left.
  private static func readiness(_ worker: Worker, _ gate: QuotaGate) async -> HTTPServer.Response {
    let status = await worker.status
    let isReady = status.isReady
    var writer = JSONWriter(pretty: true)
    let quota = await gate.state()
    writer.object { writer in
      writer.member("ready", isReady)
      writer.member("partitions", status.assigned)
      writer.member("running", status.running)
      writer.member("held", status.held)
      writer.member("stopped", status.stopReason)
      writer.member("outage", status.outage)
      writer.member(
        "waitingForQuota",
        object: { writer in
          for (bucket, state) in quota.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where state.waiting > 0 {
            writer.key(named: bucket.rawValue)
            writer.object { writer in
              writer.member("messages", state.waiting)
              writer.member("reason", state.reason?.rawValue)
              writer.member("until", state.until.map(Timestamp.rfc3339))
            }
          }
        })
    }
    return .text(String(decoding: writer.bytes, as: UTF8.self) + "\n", status: isReady ? 200 : 503, type: "application/json")
  }
}
