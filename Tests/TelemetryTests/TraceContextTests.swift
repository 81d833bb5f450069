import Telemetry
import Testing

@Suite("TraceContext", .timeLimit(.minutes(1)))
struct TraceContextTests {
  static let id = "4bf92f3577b34da6a3ce929d0e0e4736"
  static let span = "00f067aa0ba902b7"

  @Test(arguments: [("00-\(id)-\(span)-01", true), ("00-\(id)-\(span)-00", false), ("cc-\(id)-\(span)-03-more", true)])
  func validContextsAreRead(text: String, isSampled: Bool) throws {
    let context = try #require(TraceContext(traceparent: text))
    #expect(context.traceID == Self.id)
    #expect(context.spanID == Self.span)
    #expect(context.isSampled == isSampled)
  }

  @Test(arguments: [
    "", "00", "ff-\(id)-\(span)-01", "00-\(id)-\(span)", "00-\(id)-\(span)-01-x", "00-\(id.uppercased())-\(span)-01",
    "00-\(id)x-\(span)-01",
    "00-00000000000000000000000000000000-\(span)-01", "00-\(id)-0000000000000000-01", "00-\(id)-\(span)-0g", "0-\(id)-\(span)-01",
  ])
  func malformedContextsAreNone(text: String) { #expect(TraceContext(traceparent: text) == nil) }

  @Test func aChildIsAnotherSpanOfTheSameTrace() throws {
    var random = RandomSource()
    let root = TraceContext.root(using: &random)
    let child = root.child(using: &random)
    #expect(child.traceID == root.traceID)
    #expect(child.spanID != root.spanID)
    #expect(TraceContext(traceparent: child.traceparent) == child)
  }
}
