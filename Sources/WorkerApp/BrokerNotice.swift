import Kafka
import Telemetry

/// Says in words that help that no broker answers: what the client library says of each connection does not.
struct BrokerNotice: Sendable {
  /// Of looks between two notices.
  private static let every = 10

  let kafka: KafkaConfiguration
  let clientID: String
  let logger: Logger
  /// Before the first look, and between two looks.
  var patience = Duration.seconds(3)
  /// For an answer.
  var timeout = Duration.seconds(3)

  /// Looks until a broker has answered, or the task is cancelled.
  ///
  /// - Parameter isConnected: what is known without asking.
  func run(unless isConnected: @Sendable () async -> Bool) async {
    guard (try? await Task.sleep(for: patience)) != nil, await !isConnected() else { return }
    guard let admin = try? Admin(configuration: kafka, clientID: clientID, logger: .silent) else { return }
    var failures = 0
    while !Task.isCancelled {
      do {
        _ = try await admin.describeCluster(timeout: timeout)
        break
      } catch {
        if failures.isMultiple(of: Self.every), !Task.isCancelled {
          logger.warning(
            "No broker answers; trying again. Is KAFKA_BOOTSTRAP_SERVERS right?",
            ["kafka.bootstrap_servers": .string(kafka.bootstrapServers), "error": "\(error)"])
        }
        failures += 1
        try? await Task.sleep(for: patience)
      }
    }
    await admin.close()
  }
}
