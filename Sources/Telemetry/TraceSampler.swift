/// Which traces are recorded (https://opentelemetry.io/docs/specs/otel/trace/sdk/#sampling).
public indirect enum TraceSampler: Sendable, Equatable {
  case alwaysOn
  case alwaysOff
  /// This share of all traces, 0 to 1, told by the trace's id alone: every process decides alike.
  case ratio(Double)
  /// As the parent was; the other one decides where there is none.
  case parentBased(TraceSampler)

  /// - Parameter parent: whether the parent is sampled; `nil` without a parent.
  public func samples(traceID: String, parent: Bool?) -> Bool {
    switch self {
    case .alwaysOn: true
    case .alwaysOff: false
    // The largest position is rounded to 1.
    case .ratio(let share): share >= 1 || Self.position(traceID) < share
    case .parentBased(let root): parent ?? root.samples(traceID: traceID, parent: nil)
    }
  }

  /// The random part of the id as a number from 0 to below 1: its last 7 bytes (W3C Trace Context level 2).
  private static func position(_ traceID: String) -> Double {
    Double(UInt64(traceID.suffix(14), radix: 16) ?? 0) / Double(UInt64(1) << 56)
  }
}
