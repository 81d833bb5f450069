import Foundation
import Glibc
import JSON
import Messages
import TestSupport
import Testing

extension EndToEndTests {
  /// What whoever runs the workers sees: health, metrics, logs, settings.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct OperationTests {
    @Test(.world())
    func healthReadinessAndMetricsAreServed() async throws {
      let world = try World.current
      let port = try FreePort.find()
      let address = "http://127.0.0.1:\(port)"
      let worker = try world.start("tubeline-channels", ["--http-port", "\(port)"])
      try await worker.logged("Serving health and metrics")
      #expect(try await HTTP.send("GET", "\(address)/healthz").status == 200)
      try await worker.holds(8)
      let ready = try await HTTP.send("GET", "\(address)/readyz")
      #expect(ready.status == 200, "\(ready.text)")
      _ = try await world.outcome(["channel": "@Google", "scope": "details"])
      let metrics = try await HTTP.send("GET", "\(address)/metrics")
      #expect(metrics.status == 200)
      for name in [
        "tubeline_partitions_assigned{stage=\"channels\"} 8", "tubeline_stage_stopped{stage=\"channels\"} 0",
        "tubeline_quota_granted_units_total{bucket=\"default\"} 1", "# TYPE tubeline_quota_remaining_units gauge",
      ] {
        #expect(metrics.text.contains(name), "\(metrics.text)")
      }
      let served = metrics.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) }
      let documented = try Set(MetricsDocument.rows().map(\.name)).filter { !$0.hasPrefix("tubeline_catalog_") }
      #expect(Set(served) == documented)
      #expect(try await HTTP.send("GET", "\(address)/other").status == 404)
      // 127.0.0.1, which is 0100007F there; whoever asks from elsewhere finds nobody.
      let table = try ProcessFile.text("/proc/net/tcp")
      let listening = String(Int(port) + 0x10000, radix: 16, uppercase: true).suffix(4)
      #expect(table.contains(" 0100007F:\(listening) 00000000:0000 0A "))
      #expect(!table.contains(" 00000000:\(listening) 00000000:0000 0A "))
    }

    @Test(.world(.init(settings: ["METRICS_INTERVAL": "200ms"])))
    func lagQuotaAndDesiredReplicasAreThoseOfTheWholeStage() async throws {
      let world = try World.current
      let port = try FreePort.find()
      let worker = try await world.start(.channels, settings: ["HTTP_PORT": "\(port)"])[0]
      func shown(_ line: String) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        var text = ""
        while ContinuousClock.now < limit {
          text = try await HTTP.send("GET", "http://127.0.0.1:\(port)/metrics").text
          if text.contains("\n\(line)\n") { return }
          await Task.yield()
        }
        Issue.record("\(line) was not shown\n\(text)")
      }
      try await shown("tubeline_desired_replicas{stage=\"channels\"} 0")
      try await world.stub.fault(["count": -1, "delayMs": 20_000])
      for number in 0..<20 { _ = try await world.request(["channel": .string("@stub-\(number)"), "scope": "details"]) }
      try await shown("tubeline_group_lag_messages{stage=\"channels\",topic=\"channel-requests\"} 20")
      try await shown("tubeline_desired_replicas{stage=\"channels\"} 2")
      try await shown("tubeline_quota_limit_units{bucket=\"default\"} 10000")
      try await shown("tubeline_group_lag_known{stage=\"channels\"} 1")
      worker.send(SIGKILL)
    }

    /// The stub accepts the key again later: the stage goes on without a restart.
    @Test(.world(.init(settings: ["RETRY_STOPPED_DELAY": "500ms"])))
    func anInvalidKeyStopsTheStageUntilItIsMended() async throws {
      let world = try World.current
      let port = try FreePort.find()
      let worker = try await world.start(.channels, settings: ["HTTP_PORT": "\(port)"])[0]
      try await world.stub.fault(["count": -1, "status": 400, "reason": "API_KEY_INVALID"])
      let id = try await world.request(["channel": "@Google", "scope": "details"])
      let line = try await worker.logged("The stage is stopped until this is mended")
      #expect(line.contains("YOUTUBE_API_KEY"), "\(line)")
      let unready = try await HTTP.send("GET", "http://127.0.0.1:\(port)/readyz")
      #expect(unready.status == 503 && unready.text.contains("stopped"), "\(unready.text)")
      #expect(try await HTTP.send("GET", "http://127.0.0.1:\(port)/healthz").status == 200)
      try await world.stub.clearFaults()
      #expect(try await world.ending(id, within: .seconds(20))["type"] == "completed")
      #expect(try await HTTP.send("GET", "http://127.0.0.1:\(port)/readyz").status == 200)
      #expect(world.deadLetters().isEmpty)
    }

    @Test(.world(.init(settings: ["YOUTUBE_API_KEY": "invalid-key"], workers: 1)), arguments: ["@Google"])
    func aKeyThatTheAPIRefusesCostsNoMessage(reference: String) async throws {
      let world = try World.current
      for number in 0..<20 { _ = try await world.request(["channel": .string("@stub-\(number)")]) }
      let worker = try #require(world.workers(.channels).first)
      try await worker.logged("The stage is stopped until this is mended")
      worker.send(SIGTERM)
      #expect(try await worker.ended() == .exited(0))
      try await world.log.caughtUp()
      #expect(world.deadLetters().isEmpty && world.messages(.retry(.channels)).isEmpty && world.messages(.requestEvents).isEmpty)
      #expect(try await world.stub.statistics().calls["channels.list", default: 0] <= 20)
    }

    /// A pipe to a log collector that died, then a terminal that is closed.
    @Test(.world()) func aLogThatNobodyReadsAndAClosedTerminalDoNoHarm() async throws {
      let world = try World.current
      let script = #"mkfifo "$1" && { head -n 1 "$1" >&2 & exec "$0" 2> "$1"; }"#
      let worker = try world.startShell(script, "tubeline-channels", [world.folder + "/log"])
      try await worker.logged("message")
      for _ in 0..<3 {
        let id = try await world.request(["channel": "@Google", "scope": "details"])
        #expect(try await world.ending(id)["type"] == "completed")
      }
      worker.send(SIGHUP)
      #expect(try await worker.ended() == .exited(0))
    }

    @Test(.world(), arguments: ["exactly-once", "at-least-once"])
    func aWorkerThatFindsNoBrokerStillEndsAtOnce(guarantee: String) async throws {
      let world = try World.current
      let worker = try world.start(
        "tubeline-channels",
        settings: ["KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "WORKER_GUARANTEE": guarantee, "LOG_FORMAT": "json", "LOG_LEVEL": "info"])
      try await worker.logged(guarantee == "exactly-once" ? "Transactions cannot begin yet" : "Connection refused", within: .seconds(15))
      worker.send(SIGTERM)
      #expect(try await worker.ended(within: .seconds(10)) == .exited(0))
    }

    @Test(.world(), .enabled(if: World.realServers == nil, "a real broker keeps offsets of transactions"))
    func exactlyOnceOnTheEmbeddedBrokerIsWarnedOf() async throws {
      let worker = try World.current.start("tubeline-channels", settings: ["WORKER_GUARANTEE": "exactly-once"])
      try await worker.logged("Set WORKER_GUARANTEE=at-least-once")
      worker.send(SIGTERM)
      #expect(try await worker.ended(within: .seconds(15)) == .exited(0))
    }

    @Test(.world(), arguments: [StageName.channels, .playlists, .videos])
    func helpAndVersionAreWrittenToStandardOutput(stage: StageName) async throws {
      let world = try World.current
      let help = try world.start("tubeline-\(stage.rawValue)", ["--help"])
      #expect(try await help.ended() == .exited(0))
      let text = help.output.joined(separator: "\n")
      for variable in ["KAFKA_BOOTSTRAP_SERVERS", "QUOTA_STORE", "SHUTDOWN_GRACE", "HTTP_PORT", "default:"] {
        #expect(text.contains(variable))
      }
      let version = try world.start("tubeline-\(stage.rawValue)", ["--version"])
      #expect(try await version.ended() == .exited(0))
      #expect(try await version.firstLine().hasPrefix("tubeline-\(stage.rawValue) "))
    }

    static let wrong: [(variable: String, value: String)] = [
      ("HTTP_PORT", "none"), ("HTTP_PORT", "70000"), ("QUOTA_DAILY_UNITS", "-1"), ("QUOTA_PACING", "fast"), ("WORKER_CONCURRENCY", "0"),
      ("WORKER_GUARANTEE", "at-most-once"), ("SHUTDOWN_GRACE", "5 minutes"), ("RETRY_ATTEMPTS", "many"), ("LOG_LEVEL", "loud"),
      ("LOG_FORMAT", "xml"), ("QUOTA_STORE", "redis//nowhere"), ("KAFKA_SESION_TIMEOUT_MS", "6000"), ("KAFKA_SESSION_TIMEOUT_MS", "long"),
      ("YOUTUBE_API_KEY", ""), ("YOUTUBE_API_KEY_FILE", "/nonexistent"), ("YOUTUBE_API_URL", "ftp://example.org"),
      ("QUOTA_ON_DATA_LOSS", "ignore"), ("METRICS_INTERVAL", "0"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
      ("WORKER_COMMIT_INTERVAL", "-1s"), ("TOPIC_PREFIX", "with blanks"),
    ]

    @Test(.world())
    func aWrongSettingIsNamedAndEndsTheStart() async throws {
      let world = try World.current
      for (variable, value) in Self.wrong {
        var settings = [variable: value]
        if variable == "YOUTUBE_API_KEY_FILE" { settings["YOUTUBE_API_KEY"] = "" }
        let worker = try world.start("tubeline-videos", settings: settings)
        #expect(try await worker.ended() == .exited(2), "\(variable)=\(value): \(worker.tail())")
        #expect(worker.log.contains { $0.contains(variable) }, "\(variable)=\(value): \(worker.tail())")
      }
    }
  }
}
