/// A W3C trace context (https://www.w3.org/TR/trace-context/): which trace a message belongs to, and which span made it.
public struct TraceContext: Sendable, Equatable {
  public let traceID: String
  public let spanID: String
  public let isSampled: Bool

  /// The span that this task works for; `nil` while tracing is off.
  @TaskLocal public static var current: TraceContext?

  /// Reads a `traceparent` of any version; `nil` when it is malformed or all zeros.
  public init?(traceparent: String) {
    let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[1].count == 32, parts[2].count == 16, parts[3].count == 2,
      parts[0] != "00" || parts.count == 4,
      parts[0...3].allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    traceID = String(parts[1])
    spanID = String(parts[2])
    isSampled = flags & 1 == 1
  }

  private init(traceID: String, spanID: String, isSampled: Bool) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
  }

  /// A new trace.
  public static func root(using generator: inout some RandomNumberGenerator) -> TraceContext {
    TraceContext(
      traceID: hex(.random(in: 1...UInt64.max, using: &generator)) + hex(.random(in: 1...UInt64.max, using: &generator)),
      spanID: hex(.random(in: 1...UInt64.max, using: &generator)), isSampled: true)
  }

  /// A new span of the same trace.
  public func child(using generator: inout some RandomNumberGenerator) -> TraceContext {
    TraceContext(traceID: traceID, spanID: Self.hex(.random(in: 1...UInt64.max, using: &generator)), isSampled: isSampled)
  }

  /// The same span, recorded or not.
  func sampled(_ isSampled: Bool) -> TraceContext { TraceContext(traceID: traceID, spanID: spanID, isSampled: isSampled) }

  public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
