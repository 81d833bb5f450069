import FoundationEssentials
import JSON
public import Telemetry

/// The body of one export: OTLP's ExportTraceServiceRequest in its JSON form (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
public struct OTLPRequest: Sendable {
  private let resource: [Span.Attribute]

  /// - Parameter resource: what the process is.
  public init(resource: [Span.Attribute]) { self.resource = resource }

  public func body(_ spans: [Span]) -> [UInt8] {
    var writer = JSONWriter(capacity: 512 + spans.count * 1024)
    writer.object { writer in
      writer.member(
        "resourceSpans",
        array: { writer in
          writer.object { writer in
            writer.member("resource", object: { Self.write(resource, to: &$0) })
            writer.member("scopeSpans", array: { Self.writeScope(spans, to: &$0) })
          }
        })
    }
    return writer.bytes
  }

  private static func writeScope(_ spans: [Span], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member(
        "scope",
        object: { writer in
          writer.member("name", "tubeline")
          writer.member("version", BuildInformation.version)
        })
      writer.member("spans", array: { writer in for span in spans { write(span, to: &writer) } })
    }
  }

  private static func write(_ span: Span, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("traceId", span.context.traceID)
      writer.member("spanId", span.context.spanID)
      writer.member("parentSpanId", span.parent?.spanID)
      writer.member("flags", span.context.isSampled ? 1 : 0)
      writer.member("name", span.name)
      writer.member("kind", span.kind.rawValue)
      writer.member("startTimeUnixNano", nanoseconds(span.start))
      writer.member("endTimeUnixNano", nanoseconds(max(span.start, span.end)))
      write(span.attributes, to: &writer)
      guard let error = span.error else { return }
      writer.member(
        "status",
        object: { writer in
          writer.member("code", 2)
          if !error.message.isEmpty { writer.member("message", error.message) }
        })
    }
  }

  private static func write(_ attributes: [Span.Attribute], to writer: inout JSONWriter) {
    writer.member(
      "attributes",
      array: { writer in
        for attribute in attributes {
          writer.object { writer in
            writer.member("key", attribute.name)
            writer.member(
              "value",
              object: { writer in
                switch attribute.value {
                case .string(let text): writer.member("stringValue", text)
                // 64 bits are text there.
                case .int(let number): writer.member("intValue", String(number))
                case .bool(let truth): writer.member("boolValue", truth)
                }
              })
          }
        }
      })
  }

  // A Date is a Double: exact to less than a microsecond, which is what is told.
  private static func nanoseconds(_ date: Date) -> String {
    let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
    return (Int(exactly: microseconds).map(String.init) ?? "0") + "000"
  }
}
