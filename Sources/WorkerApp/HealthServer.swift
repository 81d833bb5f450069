import HTTPServer
import JSON
import Messages
import Pipeline
import Quota
import Telemetry

/// /healthz, /readyz and /metrics.
struct HealthServer: Sendable {
  private let server: HTTPServer

  /// - Parameter waits: what the worker waits for at the moment.
  init(
    host: String, port: Int, worker: Worker, gate: QuotaGate, metrics: Metrics,
    waits: @escaping @Sendable () async -> [WorkerReport.QuotaWait]
  ) throws {
    server = try HTTPServer(host: host, port: port, limits: Self.limits) { request in
      guard request.method == "GET" || request.method == "HEAD" else { return .text("Only GET is served here.\n", status: 405) }
      switch request.path {
      case "/healthz": return .text("ok\n")
      case "/readyz": return Self.readiness(await worker.status, await waits())
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
  private static func readiness(_ status: WorkerStatus, _ waits: [WorkerReport.QuotaWait]) -> HTTPServer.Response {
    let isReady = status.isReady
    var writer = JSONWriter(pretty: true)
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
          for wait in waits {
            writer.key(named: wait.bucket)
            writer.object { writer in
              writer.member("messages", wait.calls)
              writer.member("reason", wait.reason)
              writer.member("until", wait.until)
            }
          }
        })
    }
    return .text(String(decoding: writer.bytes, as: UTF8.self) + "\n", status: isReady ? 200 : 503, type: "application/json")
  }
}
