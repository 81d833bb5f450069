public import Telemetry

/// Keeps log lines, so that a test can wait for one and read its metadata.
public struct LogRecorder: Sendable {
  public let entries = EventLog<LogEntry>()

  public init() {}

  public func logger(_ label: String = "test", level: LogLevel = .debug) -> Logger {
    Logger(label: label, level: level) { [entries] in entries.append($0) }
  }

  public var messages: [String] { entries.events.map(\.message) }

  /// Returns when the message was logged that many times.
  public func wait(for message: String, count: Int = 1) async {
    await entries.wait { $0.count { $0.message.hasPrefix(message) } >= count }
  }
}
