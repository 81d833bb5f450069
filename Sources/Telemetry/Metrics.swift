import Synchronization

/// Counters, gauges and histograms in the Prometheus text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// A metric is registered once, with its help text; a sample is one set of label values.
public final class Metrics: Sendable {
  public enum Kind: String, Sendable { case counter, gauge, histogram }

  private struct Family: Sendable {
    let kind: Kind
    let help: String
    let labels: [String]
    let buckets: [Double]
    var values: [[String]: Double] = [:]
    var histograms: [[String]: Histogram] = [:]

    mutating func begin(_ labels: [String]) {
      if kind != .histogram {
        values[labels, default: 0] += 0
      } else if histograms[labels] == nil {
        histograms[labels] = Histogram(counts: Array(repeating: 0, count: buckets.count))
      }
    }
  }

  private struct Histogram: Sendable {
    var counts: [Int]
    var sum = 0.0
    var count = 0
  }

  private let families = Mutex<[String: Family]>([:])

  public init() {}

  /// Declares a metric, so that it is documented and shown before its first sample. Declaring twice is harmless.
  public func declare(_ kind: Kind, _ name: String, help: String, labels: [String] = [], buckets: [Double] = Metrics.secondsBuckets) {
    families.withLock { families in
      guard families[name] == nil else { return }
      var family = Family(kind: kind, help: help, labels: labels, buckets: kind == .histogram ? buckets : [])
      if labels.isEmpty { family.begin([]) }
      families[name] = family
    }
  }

  /// Shows a sample before its first value: 0, or an empty histogram. What is there already stays.
  public func begin(_ name: String, _ labels: String...) {
    families.withLock { $0[name]?.begin(labels) }
  }

  /// Adds to a counter or gauge.
  public func add(_ name: String, _ amount: Double = 1, _ labels: String...) {
    families.withLock { $0[name]?.values[labels, default: 0] += amount }
  }

  public func set(_ name: String, to value: Double, _ labels: String...) {
    families.withLock { $0[name]?.values[labels] = value }
  }

  /// Takes a sample away, whose value is no longer known.
  public func remove(_ name: String, _ labels: String...) {
    families.withLock { $0[name]?.values[labels] = nil }
  }

  public func observe(_ name: String, _ value: Double, _ labels: String...) {
    families.withLock { families in
      families[name]?.begin(labels)
      guard let buckets = families[name]?.buckets, var histogram = families[name]?.histograms[labels] else { return }
      for (index, bound) in buckets.enumerated() where value <= bound { histogram.counts[index] += 1 }
      histogram.sum += value
      histogram.count += 1
      families[name]?.histograms[labels] = histogram
    }
  }

  /// The current value of a counter or gauge, for tests and for status pages.
  public func value(_ name: String, _ labels: String...) -> Double? {
    families.withLock { $0[name]?.values[labels] }
  }

  /// What was declared, by name.
  public struct Declaration: Sendable, Equatable {
    public let name: String
    public let kind: Kind
    public let help: String
    public let labels: [String]
  }

  public var declarations: [Declaration] {
    families.withLock { families in
      families.sorted { $0.key < $1.key }.map {
        Declaration(name: $0.key, kind: $0.value.kind, help: $0.value.help, labels: $0.value.labels)
      }
    }
  }

  public static let secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

  /// The text that a scrape receives. Gauges that are read elsewhere have to be set before.
  public func exposition() -> String {
    families.withLock { families in
      families.sorted { $0.key < $1.key }.map { Self.text(name: $0.key, family: $0.value) }.joined()
    }
  }

  private static func text(name: String, family: Family) -> String {
    var text = "# HELP \(name) \(escaped(family.help, quotes: false))\n# TYPE \(name) \(family.kind.rawValue)\n"
    for (labels, value) in family.values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      text += "\(name)\(braces(family.labels, labels)) \(number(value))\n"
    }
    for (labels, histogram) in family.histograms.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for (bound, count) in zip(family.buckets, histogram.counts) {
        text += "\(name)_bucket\(braces(family.labels + ["le"], labels + [number(bound)])) \(count)\n"
      }
      text += "\(name)_bucket\(braces(family.labels + ["le"], labels + ["+Inf"])) \(histogram.count)\n"
      text += "\(name)_sum\(braces(family.labels, labels)) \(number(histogram.sum))\n"
      text += "\(name)_count\(braces(family.labels, labels)) \(histogram.count)\n"
    }
    return text
  }

  private static func braces(_ names: [String], _ values: [String]) -> String {
    guard !names.isEmpty else { return "" }
    return "{" + zip(names, values).map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
  }

  // By scalars, since "\r\n" is one character that is not "\n".
  private static func escaped(_ value: String, quotes: Bool = true) -> String {
    value.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"" where quotes: result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
