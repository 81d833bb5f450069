// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: warnings are errors, imports are internal unless a public signature needs them.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

let package = Package(
  name: "tubeline",
  products: [
    .executable(name: "tubeline", targets: ["tubeline"]),
    .executable(name: "tubeline-search", targets: ["tubeline-search"]),
    .executable(name: "tubeline-channels", targets: ["tubeline-channels"]),
    .executable(name: "tubeline-playlists", targets: ["tubeline-playlists"]),
    .executable(name: "tubeline-videos", targets: ["tubeline-videos"]),
    .executable(name: "tubeline-catalog", targets: ["tubeline-catalog"]),
    .executable(name: "youtube-stub", targets: ["youtube-stub"]),
  ],
  targets: [
    // C libraries of Debian
    .systemLibrary(name: "CLibrdkafka", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"])]),
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CProcess"),
    // The catalogue's page as bytes: the compiler reads the files.
    .target(name: "CCatalogFiles", exclude: ["files"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CSimdjson", cxxSettings: [.define("NDEBUG")], linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("m")]),

    // The core: no Kafka, no Redis, no SQLite
    library("Telemetry"),
    library("JSON", ["CSimdjson"]),
    library("OpenTelemetry", ["JSON", "Telemetry"]),
    library("Messages", ["JSON", "Telemetry"]),
    library("Pipeline", ["Messages", "Telemetry"]),
    library("Quota", ["Telemetry"]),
    library("YouTubeAPI", ["JSON", "Telemetry"]),
    library("Stages", ["YouTubeAPI", "Quota", "Pipeline", "Messages", "JSON", "Telemetry"]),

    // Adapters
    library("Kafka", ["CLibrdkafka", "Telemetry"]),
    library("Redis", ["CHiredis"]),
    library("SQLite", ["CSQLite"]),
    library("QuotaStores", ["Quota", "Redis", "SQLite", "Telemetry"]),
    library("Processes", ["CProcess"]),
    library("HTTPServer", ["CMicrohttpd"]),
    library("HTTPClient", ["CCurl", "YouTubeAPI"]),

    // Applications
    library(
      "WorkerApp",
      [
        "Monitoring", "Stages", "YouTubeAPI", "Quota", "QuotaStores", "Pipeline", "Messages", "JSON", "Kafka", "HTTPServer", "HTTPClient",
        "OpenTelemetry", "Telemetry",
      ]),
    library("Monitoring", ["Stages", "Kafka", "Messages", "JSON", "Telemetry"]),
    library(
      "Catalog",
      [
        "CCatalogFiles", "WorkerApp", "Monitoring", "YouTubeAPI", "QuotaStores", "Quota", "SQLite", "Kafka", "HTTPServer", "Messages",
        "JSON", "Telemetry",
      ], exclude: ["Web"]),
    library("YouTubeStub", ["HTTPServer", "JSON", "Telemetry", "CZlib"]),
    library(
      "TubelineCLI",
      [
        "WorkerApp", "Monitoring", "Stages", "YouTubeAPI", "Quota", "QuotaStores", "Messages", "JSON", "Kafka", "Telemetry", "Processes",
        "HTTPClient", "OpenTelemetry", "YouTubeStub",
      ]),
    executable("tubeline", ["TubelineCLI"]),
    executable("tubeline-search", ["WorkerApp", "Stages"]),
    executable("tubeline-channels", ["WorkerApp", "Stages"]),
    executable("tubeline-playlists", ["WorkerApp", "Stages"]),
    executable("tubeline-videos", ["WorkerApp", "Stages"]),
    executable("tubeline-catalog", ["Catalog", "WorkerApp"]),
    executable("youtube-stub", ["YouTubeStub", "Telemetry"]),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["Pipeline", "Messages", "Quota", "YouTubeAPI", "JSON", "Processes", "Telemetry"],
      path: "Sources/TestSupport", swiftSettings: strict),
    executable("quota-hammer", ["QuotaStores", "Quota"]),
    tests("TelemetryTests", ["Telemetry"]),
    tests("JSONTests", ["JSON"]),
    tests("OpenTelemetryTests", ["OpenTelemetry", "JSON", "Telemetry"]),
    tests("MessagesTests", ["Messages", "JSON"]),
    tests("PipelineTests", ["Pipeline", "Messages"]),
    tests("QuotaTests", ["Quota"]),
    tests("QuotaStoresTests", ["QuotaStores", "Quota", "Redis", "SQLite", "Processes", "quota-hammer"]),
    tests("YouTubeAPITests", ["YouTubeAPI", "JSON"]),
    tests("StagesTests", ["Stages", "YouTubeAPI", "Quota", "Pipeline", "Messages", "JSON"]),
    tests("KafkaTests", ["Kafka"]),
    tests("ProcessesTests", ["Processes"]),
    tests("HTTPServerTests", ["HTTPServer"]),
    tests("HTTPClientTests", ["HTTPClient", "HTTPServer", "YouTubeAPI"]),
    tests("YouTubeStubTests", ["YouTubeStub", "JSON"]),
    tests("MonitoringTests", ["Monitoring", "Kafka", "Messages", "Telemetry"]),
    tests("CatalogTests", ["Catalog", "WorkerApp", "Quota", "SQLite", "Kafka", "HTTPServer", "Messages", "JSON", "Telemetry"]),
    tests("WorkerAppTests", ["WorkerApp", "Kafka", "Messages", "JSON"]),
    tests(
      "TubelineCLITests",
      ["TubelineCLI", "Monitoring", "WorkerApp", "YouTubeAPI", "YouTubeStub", "Quota", "Messages", "JSON", "Kafka", "Telemetry"]),
    tests(
      "FuzzTests",
      [
        "Catalog", "TubelineCLI", "Monitoring", "YouTubeStub", "WorkerApp", "Stages", "QuotaStores", "Redis", "SQLite", "Kafka",
        "HTTPServer", "YouTubeAPI", "Quota", "Pipeline", "Messages", "JSON", "Telemetry",
      ]),
    tests(
      "EndToEndTests",
      ["HTTPServer", "SQLite", "JSON", "Kafka", "Messages", "Stages", "QuotaStores", "Quota", "Processes", "Telemetry"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// An optimised build of all tests takes minutes; `make fuzz` runs one target of them.
if let only = Context.environment["TUBELINE_ONLY_TESTS"] { package.targets.removeAll { $0.isTest && $0.name != only } }
