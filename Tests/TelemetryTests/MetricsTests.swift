import Telemetry
import Testing

@Suite("Metrics", .timeLimit(.minutes(1)))
struct MetricsTests {
  @Test func theTextFormatIsAsPrometheusReadsIt() {
    let metrics = Metrics()
    metrics.declare(.counter, "a_total", help: "Things.\nMany \\ of them.", labels: ["kind"])
    metrics.declare(.gauge, "b", help: "Now.")
    metrics.declare(.histogram, "c", help: "Times.", buckets: [0.5, 1])
    metrics.add("a_total", 2, "x")
    metrics.observe("c", 0.75)
    metrics.observe("c", 5)
    #expect(
      metrics.exposition() == """
        # HELP a_total Things.\\nMany \\\\ of them.
        # TYPE a_total counter
        a_total{kind="x"} 2
        # HELP b Now.
        # TYPE b gauge
        b 0
        # HELP c Times.
        # TYPE c histogram
        c_bucket{le="0.5"} 0
        c_bucket{le="1"} 1
        c_bucket{le="+Inf"} 2
        c_sum 5.75
        c_count 2

        """)
  }

  @Test(arguments: [("a\nb", #"a\nb"#), ("a\r\nb", "a\r\\nb"), (#"a"b\c"#, #"a\"b\\c"#), ("ü", "ü")])
  func labelValuesAreEscaped(value: String, shown: String) {
    let metrics = Metrics()
    metrics.declare(.gauge, "g", help: "h", labels: ["l"])
    metrics.set("g", to: 1, value)
    #expect(metrics.exposition().contains("g{l=\"\(shown)\"} 1\n"))
  }

  @Test(arguments: [(Double.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (0.1, "0.1"), (1e15, "1000000000000000")])
  func numbersAreWrittenAsPrometheusReadsThem(value: Double, shown: String) {
    let metrics = Metrics()
    metrics.declare(.gauge, "g", help: "h")
    metrics.set("g", to: value)
    #expect(metrics.exposition().hasSuffix("g \(shown)\n"))
  }

  @Test func whatHasBegunIsShownEmptyAndStaysWhatItIs() {
    let metrics = Metrics()
    metrics.declare(.counter, "n_total", help: "h", labels: ["l"])
    metrics.declare(.histogram, "s", help: "h", labels: ["l"], buckets: [1])
    for name in ["n_total", "s", "unknown"] { metrics.begin(name, "a") }
    let empty = metrics.exposition()
    #expect(empty.contains("\nn_total{l=\"a\"} 0\n"))
    #expect(empty.hasSuffix("s_bucket{l=\"a\",le=\"1\"} 0\ns_bucket{l=\"a\",le=\"+Inf\"} 0\ns_sum{l=\"a\"} 0\ns_count{l=\"a\"} 0\n"))
    metrics.add("n_total", 2, "a")
    metrics.observe("s", 0.5, "a")
    let filled = metrics.exposition()
    for name in ["n_total", "s"] { metrics.begin(name, "a") }
    #expect(metrics.exposition() == filled && filled.hasSuffix("s_count{l=\"a\"} 1\n"))
  }

  @Test func declaringTwiceKeepsTheValueAndTheUndeclaredIsIgnored() {
    let metrics = Metrics()
    metrics.declare(.counter, "n", help: "h")
    metrics.add("n")
    metrics.declare(.counter, "n", help: "h")
    metrics.add("unknown")
    #expect(metrics.value("n") == 1)
    #expect(metrics.value("unknown") == nil)
  }

  @Test func concurrentAdditionsAreAllCounted() async {
    let metrics = Metrics()
    metrics.declare(.counter, "n", help: "h", labels: ["l"])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<500 { metrics.add("n", 1, "x") } } }
    }
    #expect(metrics.value("n", "x") == 4000)
  }
}
