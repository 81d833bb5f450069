public import Telemetry

/// What the environment variables of the OpenTelemetry specification say about traces
/// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
public struct TraceSettings: Sendable, Equatable {
  /// Where spans are posted to; `nil` is off.
  public var endpoint: String?
  /// May hold tokens: not for showing.
  public var headers: [(name: String, value: String)] = []
  public var timeout: Duration = .seconds(10)
  public var sampler: TraceSampler = .parentBased(.alwaysOn)
  public var serviceName: String?
  public var resource: [Span.Attribute] = []
  public var limits = SpanExporter.Limits()
  /// What was given and is not heeded, in sentences: the specification wants such values ignored aloud.
  public var warnings: [String] = []

  /// - Parameter value: the text of a variable; an empty one counts as not given.
  public init(_ value: (String) -> String?) {
    func text(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
    endpoint = Self.endpoint(text)
    serviceName = text("OTEL_SERVICE_NAME")
    headers = read(text, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS").map { pairs($0.name, $0.text) } ?? []
    let attributes = text("OTEL_RESOURCE_ATTRIBUTES").map { pairs("OTEL_RESOURCE_ATTRIBUTES", $0) } ?? []
    resource = attributes.map { Span.Attribute($0.name, .string($0.value)) }
    if serviceName == nil { serviceName = attributes.last { $0.name == "service.name" }?.value }
    resource.removeAll { $0.name == "service.name" }
    if let given = read(text, "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT") {
      timeout = .milliseconds(number(given.name, given.text, in: 1...3_600_000) ?? 10_000)
    }
    readLimits(text)
    sampler = sampler(text("OTEL_TRACES_SAMPLER"), text("OTEL_TRACES_SAMPLER_ARG"))
    if let given = read(text, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"), given.text != "http/json" {
      warnings.append("\(given.name): spans are sent as http/json; the collector must take that at this endpoint.")
    }
  }

  private static func endpoint(_ text: (String) -> String?) -> String? {
    if text("OTEL_SDK_DISABLED")?.lowercased() == "true" || text("OTEL_TRACES_EXPORTER") == "none" { return nil }
    if let own = text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") { return own }
    guard var base = text("OTEL_EXPORTER_OTLP_ENDPOINT")?[...] else { return nil }
    while base.hasSuffix("/") { base = base.dropLast() }
    return base + "/v1/traces"
  }

  /// The more particular variable counts.
  private func read(_ text: (String) -> String?, _ names: String...) -> (name: String, text: String)? {
    for name in names { if let given = text(name) { return (name, given) } }
    return nil
  }

  private mutating func readLimits(_ text: (String) -> String?) {
    if let given = text("OTEL_BSP_MAX_QUEUE_SIZE") {
      limits.queue = number("OTEL_BSP_MAX_QUEUE_SIZE", given, in: 1...100_000) ?? limits.queue
    }
    if let given = text("OTEL_BSP_MAX_EXPORT_BATCH_SIZE") {
      limits.batch = number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", given, in: 1...10_000) ?? limits.batch
    }
    limits.batch = min(limits.batch, limits.queue)
    if let given = text("OTEL_BSP_SCHEDULE_DELAY") {
      limits.delay = number("OTEL_BSP_SCHEDULE_DELAY", given, in: 1...3_600_000).map { .milliseconds($0) } ?? limits.delay
    }
  }

  private mutating func number(_ name: String, _ text: String, in range: ClosedRange<Int>) -> Int? {
    if let number = Int(text), range.contains(number) { return number }
    warnings.append("\(name) is no whole number from \(range.lowerBound) to \(range.upperBound), and is ignored.")
    return nil
  }

  private mutating func sampler(_ name: String?, _ argument: String?) -> TraceSampler {
    switch name {
    case nil, "parentbased_always_on": return .parentBased(.alwaysOn)
    case "always_on": return .alwaysOn
    case "always_off": return .alwaysOff
    case "parentbased_always_off": return .parentBased(.alwaysOff)
    case "traceidratio": return .ratio(share(argument))
    case "parentbased_traceidratio": return .parentBased(.ratio(share(argument)))
    default:
      warnings.append("OTEL_TRACES_SAMPLER is none of those that exist here, and is ignored.")
      return .parentBased(.alwaysOn)
    }
  }

  private mutating func share(_ argument: String?) -> Double {
    guard let argument else { return 1 }
    if let share = Double(argument), (0...1).contains(share) { return share }
    warnings.append("OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1, and is ignored.")
    return 1
  }

  /// `name=value,name=value`, values percent-encoded. The text is not shown: it may hold tokens.
  private mutating func pairs(_ variable: String, _ text: String) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { PercentText.decoded(Self.trimmed($0)) }
      guard sides.count == 2, let name = sides[0], let value = sides[1], !name.isEmpty, Self.isOneLine(name), Self.isOneLine(value) else {
        warnings.append("\(variable) holds a part that is not name=value, which is ignored.")
        continue
      }
      pairs.append((name, value))
    }
    return pairs
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }

  // A line break would begin another header.
  private static func isOneLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

  public static func == (left: TraceSettings, right: TraceSettings) -> Bool {
    left.endpoint == right.endpoint && left.headers.elementsEqual(right.headers, by: ==) && left.timeout == right.timeout
      && left.sampler == right.sampler && left.serviceName == right.serviceName && left.resource == right.resource
      && left.limits == right.limits && left.warnings == right.warnings
  }
}

/// Percent-decoding of a value.
enum PercentText {
  /// `nil` when the result is no UTF-8; a `%` without two digits stands for itself.
  static func decoded(_ text: Substring) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        result.append(value)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }
}
