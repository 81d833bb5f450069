import Kafka
import Quota
import QuotaStores
import Telemetry
import WorkerApp

/// The checks that cost nothing.
struct Checkup: Sendable {
  let configuration: AppConfiguration

  func cluster() async -> [Finding] {
    let servers = configuration.kafka.bootstrapServers
    do {
      let admin = try Admin(configuration: configuration.kafka, clientID: "tubeline-cli", logger: .silent)
      let findings: [Finding]
      do { findings = try await cluster(admin, servers) } catch {
        findings = [
          .problem(
            "broker", "\((error as? KafkaError).map { BrokerFailure.error($0, servers) } ?? error)",
            mend: "start the cluster, or set KAFKA_BOOTSTRAP_SERVERS; for a try, run: tubeline broker")
        ]
      }
      await admin.close()
      return findings
    } catch {
      return [.problem("broker", "\(error)", mend: "correct the KAFKA_… setting that is named")]
    }
  }

  private func cluster(_ admin: Admin, _ servers: String) async throws -> [Finding] {
    let cluster = try await admin.describeCluster(timeout: .seconds(5))
    let isEmbedded = EmbeddedBroker.isServing(cluster)
    let kind = isEmbedded ? ", the embedded broker (nothing is kept)" : ""
    let broker = Finding.ok(
      "broker",
      "\(servers): \(cluster.brokers.count) \(cluster.brokers.count == 1 ? "broker" : "brokers"), cluster \(cluster.clusterID ?? "without id")\(kind)"
    )
    return [broker] + Self.topics(try await TopicInspection.read(admin, prefix: configuration.topicPrefix))
  }

  static func topics(_ topics: [TopicInspection]) -> [Finding] {
    let missing = topics.filter { !$0.exists }.map(\.name)
    let tooLong = topics.filter(\.keepsTooLong).map { "\($0.name) (\($0.retentionText))" }
    let unknown = topics.filter { $0.exists && $0.retention == nil }
    var findings: [Finding] = []
    if missing.isEmpty {
      let partitions = topics.map(\.partitions).min() ?? 0
      findings.append(.ok("topics", "all \(topics.count) exist, with \(partitions) partitions or more"))
    } else {
      findings.append(.problem("topics", "missing: \(missing.joined(separator: ", "))", mend: "tubeline topics create"))
    }
    if !tooLong.isEmpty {
      findings.append(
        .problem(
          "retention", "longer than the 30 days that YouTube's terms allow: \(tooLong.joined(separator: ", "))",
          mend: "set retention.ms of these topics to 2505600000 (29 days) or less"))
    } else if unknown.count < topics.count - missing.count {
      findings.append(.ok("retention", "none longer than 30 days"))
    } else if missing.count < topics.count {
      findings.append(.unknown("retention", "this broker does not tell"))
    }
    return findings
  }

  func ledger() async -> [Finding] {
    let calendar: QuotaCalendar
    do throws(TimeZoneDataError) { calendar = try .pacific() } catch {
      return [.problem("time zone", error.message, mend: "apt-get install tzdata, or set TZDIR to where the zones are")]
    }
    let zone = Finding.ok("time zone", "America/Los_Angeles is known")
    do throws(QuotaStoreError) {
      let store = try await QuotaStoreURL.open(configuration.quotaStore, calendar: calendar)
      let findings: [Finding]
      do throws(QuotaStoreError) { findings = try await store.status(configuration.quotaPolicy).map(Self.bucket) } catch {
        await store.close()
        throw error
      }
      await store.close()
      return [zone] + findings
    } catch {
      return [zone, .problem("quota store", error.message, mend: "check QUOTA_STORE, and that the store runs and lets you in")]
    }
  }

  private static func bucket(_ status: BucketStatus) -> Finding {
    let reset = "full again \(Timestamp.rfc3339(status.resetsAt).prefix(16))Z"
    let detail = "\(status.bucket): \(Spans.count(status.spent)) of \(Spans.count(status.limit)) spent, \(reset)"
    guard status.isExhausted else { return .ok("quota store", detail) }
    return .problem(
      "quota store", "\(detail); YouTube said that it is used up\(status.drift > 0 ? ", \(status.drift) units before our count" : "")",
      mend: "wait for the reset, or run: tubeline quota clear \(status.bucket)")
  }
}
