import OpenTelemetry
import Telemetry
import Testing

@Suite("Trace settings", .timeLimit(.minutes(1)))
struct TraceSettingsTests {
  private func read(_ variables: [String: String]) -> TraceSettings { TraceSettings { variables[$0] } }

  static let endpoints: [([String: String], String?)] = [
    ([:], nil),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": ""], nil),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"], "http://c:4318/v1/traces"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318/p/"], "http://c:4318/p/v1/traces"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/x"], "http://t/x"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_SDK_DISABLED": "true"], nil),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_TRACES_EXPORTER": "none"], nil),
  ]

  @Test(arguments: endpoints)
  func theEndpointIsWhatTheSpecificationMakesOfIt(variables: [String: String], endpoint: String?) {
    #expect(read(variables).endpoint == endpoint)
  }

  @Test func headersAreDecoded() {
    let settings = read(["OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x = y=z ,,broken,bad=%0Aline"])
    #expect(settings.headers.map(\.name) == ["api-key", "x"])
    #expect(settings.headers.map(\.value) == ["a b", "y=z"])
    #expect(settings.warnings.count == 2)
    #expect(settings.warnings.allSatisfy { !$0.contains("broken") && !$0.contains("line") })
  }

  static let samplers: [(String, String?, TraceSampler, Int)] = [
    ("always_on", nil, .alwaysOn, 0), ("always_off", nil, .alwaysOff, 0), ("traceidratio", "0.25", .ratio(0.25), 0),
    ("parentbased_always_on", nil, .parentBased(.alwaysOn), 0), ("parentbased_always_off", nil, .parentBased(.alwaysOff), 0),
    ("parentbased_traceidratio", "0.1", .parentBased(.ratio(0.1)), 0), ("traceidratio", nil, .ratio(1), 0),
    ("traceidratio", "2", .ratio(1), 1), ("traceidratio", "many", .ratio(1), 1), ("jaeger_remote", nil, .parentBased(.alwaysOn), 1),
  ]

  @Test(arguments: samplers)
  func samplersAreKnownByTheirNames(name: String, argument: String?, sampler: TraceSampler, warnings: Int) {
    var variables = ["OTEL_TRACES_SAMPLER": name]
    variables["OTEL_TRACES_SAMPLER_ARG"] = argument
    let settings = read(variables)
    #expect(settings.sampler == sampler && settings.warnings.count == warnings)
  }

  @Test func theServiceNameHasItsOwnVariable() {
    #expect(read(["OTEL_RESOURCE_ATTRIBUTES": "service.name=a,b=c"]).serviceName == "a")
    let settings = read(["OTEL_SERVICE_NAME": "s", "OTEL_RESOURCE_ATTRIBUTES": "service.name=a,b=c"])
    #expect(settings.serviceName == "s")
    #expect(settings.resource == [Span.Attribute("b", "c")])
  }

  @Test func limitsOfTheBatchProcessorAreHeeded() {
    let settings = read([
      "OTEL_BSP_MAX_QUEUE_SIZE": "100", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "200", "OTEL_BSP_SCHEDULE_DELAY": "250",
      "OTEL_EXPORTER_OTLP_TIMEOUT": "x",
    ])
    #expect(settings.limits.queue == 100 && settings.limits.batch == 100 && settings.limits.delay == .milliseconds(250))
    #expect(settings.timeout == .seconds(10) && settings.warnings.count == 1)
  }
}
