public import FoundationEssentials

/// One finished piece of work in a trace (https://opentelemetry.io/docs/specs/otel/trace/api/#span).
public struct Span: Sendable, Equatable {
  /// As OTLP numbers them.
  public enum Kind: Int, Sendable {
    case `internal` = 1
    case server, client, producer, consumer
  }

  public enum Value: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
  {
    case string(String)
    case int(Int)
    case bool(Bool)

    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
  }

  /// A name of OpenTelemetry's semantic conventions with its value.
  public struct Attribute: Sendable, Equatable {
    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  public let name: String
  public let kind: Kind
  public let context: TraceContext
  public let parent: TraceContext?
  public let start: Date
  public internal(set) var end: Date
  public var attributes: [Attribute]
  /// What went wrong, in a word of few (`error.type`) and in a sentence; `nil` is no error.
  public internal(set) var error: Failure?

  public struct Failure: Sendable, Equatable {
    public let type: String
    public let message: String

    public init(type: String, message: String = "") {
      self.type = type
      self.message = message
    }
  }

  public init(
    _ name: String, _ kind: Kind, context: TraceContext, parent: TraceContext?, start: Date, end: Date? = nil, attributes: [Attribute] = []
  ) {
    self.name = name
    self.kind = kind
    self.context = context
    self.parent = parent
    self.start = start
    self.end = end ?? start
    self.attributes = attributes
  }
}

/// Takes finished spans. It must return at once, whatever becomes of them.
public protocol SpanSink: Sendable {
  func record(_ span: Span)
}
