public import FoundationEssentials

/// A log line's severity, in rising order.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, notice, warning, error

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

  private var rank: Int { LogLevel.allCases.firstIndex(of: self) ?? 0 }
}

/// A value beside a constant message: `["retry.attempt": 3, "error": "\(error)"]`.
public enum LogValue: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  case string(String)
  case int(Int)
  case double(Double)
  case bool(Bool)

  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

public typealias LogMetadata = KeyValuePairs<String, LogValue>

/// One log line before it is formatted.
public struct LogEntry: Sendable {
  public let time: Date
  public let level: LogLevel
  public let label: String
  public let message: String
  public let metadata: [(key: String, value: LogValue)]
}

/// Writes constant messages with dotted metadata keys to a sink.
public struct Logger: Sendable {
  public let label: String
  public let level: LogLevel
  private let sink: @Sendable (LogEntry) -> Void

  public init(label: String, level: LogLevel = .info, sink: @escaping @Sendable (LogEntry) -> Void) {
    self.label = label
    self.level = level
    self.sink = sink
  }

  /// A logger that drops everything.
  public static let silent = Logger(label: "", level: .error) { _ in }

  public func debug(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) { log(.debug, message, metadata) }
  public func info(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) { log(.info, message, metadata) }
  public func notice(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) { log(.notice, message, metadata) }
  public func warning(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) { log(.warning, message, metadata) }
  public func error(_ message: StaticString, _ metadata: @autoclosure () -> LogMetadata = [:]) { log(.error, message, metadata) }

  public func log(_ level: LogLevel, _ message: StaticString, _ metadata: () -> LogMetadata) {
    guard level >= self.level else { return }
    let pairs = metadata().map { (key: $0.key, value: $0.value) }
    sink(LogEntry(time: Date(), level: level, label: label, message: "\(message)", metadata: pairs))
  }

  /// The same sink under another label.
  public func labelled(_ label: String) -> Logger { Logger(label: label, level: level, sink: sink) }
}
