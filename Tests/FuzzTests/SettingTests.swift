import Foundation
import TestSupport
import Testing

@testable import Kafka
@testable import Redis
@testable import WorkerApp

@Suite("Fuzz: settings", .timeLimit(.minutes(60)))
struct SettingFuzzTests {
  @Test func durationsAndSizesAreReadOrRefused() {
    Fuzz.run { one in
      let unit = one.random.pick(["ms", "s", "m", "h", "d", "", "kB", "MB", "GB", "B"])
      let usual = "\(one.random.pick(["0", "1", "20", "1.5", "250", "\(one.random.number())", "999999999999999"]))\(unit)"
      let text = one.given(
        one.random.chance(50) ? usual : one.random.text() + String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      if let duration = SettingValue.duration(text) { try claim(duration >= .zero && duration <= .seconds(400 * 86_400), "\(duration)") }
      if let size = SettingValue.size(text) { try claim(size >= 0, "\(size)") }
      _ = SettingValue.boolean(text)
    }
  }

  @Test func wholeNumbersReadAsTheyAreWritten() {
    Fuzz.run { one in
      let number = one.random.below(400 * 86_400)
      try claim(
        SettingValue.duration("\(number)s") == .seconds(number) && SettingValue.duration("\(number)") == .seconds(number), "\(number)")
      try claim(SettingValue.duration("\(number)ms") == .milliseconds(number), "\(number) ms")
      try claim(SettingValue.size("\(number)kB") == number * 1000 && SettingValue.size("\(number)") == number, "\(number) kB")
    }
  }

  /// Values that are good, by variable, so that most cases fail by one of them at most.
  private static let good: [String: [String]] = [
    "KAFKA_BOOTSTRAP_SERVERS": ["localhost:9092", "a:1,b:2"], "TOPIC_PREFIX": ["t.", ""], "YOUTUBE_API_URL": ["http://localhost:1"],
    "YOUTUBE_API_KEY": ["secretsecretsecret"], "QUOTA_STORE": ["redis://u:secretpassword@h:1/0", "memory:"], "QUOTA_DAILY_UNITS": ["10000"],
    "QUOTA_DAILY_SEARCHES": ["100"], "QUOTA_PACING": ["even", "burst"], "QUOTA_REQUESTS_PER_MINUTE": ["60"], "QUOTA_RESERVE": ["10"],
    "QUOTA_ON_DATA_LOSS": ["stop"], "WORKER_ID": ["w"], "WORKER_CONCURRENCY": ["16"], "WORKER_GUARANTEE": ["exactly-once"],
    "WORKER_COMMIT_INTERVAL": ["100ms"], "RETRY_ATTEMPTS": ["6"], "RETRY_DELAY": ["5s"], "RETRY_DELAY_CAP": ["10m"],
    "BREAKER_FAILURES": ["5"], "BREAKER_DELAY": ["5s"], "SHUTDOWN_GRACE": ["25s"], "HTTP_HOST": ["127.0.0.1"], "HTTP_PORT": ["0"],
    "LOG_LEVEL": ["info"], "LOG_FORMAT": ["json"], "KAFKA_SECURITY_PROTOCOL": ["plaintext"], "KAFKA_SASL_PASSWORD": ["secretkafka"],
    "KAFKA_FETCH_MIN_BYTES": ["1"], "KAFKA_ACKS": ["all"], "KAFKA_COMPRESSION_TYPE": ["lz4"], "KAFKA_STATISTICS_INTERVAL_MS": ["0"],
    "KAFKA_AUTO_OFFSET_RESET": ["earliest"], "KAFKA_PORT_9092_TCP": ["tcp://x"], "KAFKA_SSL_KEY_PASSWORD": ["secretssl"],
  ]

  @Test func aWrongSettingIsNamedAndNoSecretIsTold() {
    Fuzz.run { one in
      var environment: [String: String] = ["XDG_STATE_HOME": NSTemporaryDirectory() + "fuzz"]
      for variable in Self.good.keys.sorted() where one.random.chance(60) {
        environment[variable] = one.random.pick(Self.good[variable] ?? [""])
      }
      for _ in 0..<one.random.below(3) {
        let variable = one.random.pick(Self.good.keys.sorted())
        let value = one.random.chance(50) ? one.random.text() : "\(one.random.number())"
        environment[variable] = value.replacing("\0", with: "")
      }
      if one.random.chance(30) { environment["KAFKA_" + one.random.text().replacing("\0", with: "")] = "1" }
      _ = one.given("\(environment)")
      do {
        _ = try AppConfiguration(
          Settings(environment: environment), key: one.random.pick([.required, .optional, .unread]), isTerminal: true)
      } catch let error as SettingError {
        try claimSentence(error.reason, limit: 200_000)
        for secret in ["secretsecretsecret", "secretpassword", "secretkafka", "secretssl"] {
          try claim(!error.description.contains(secret), "a secret is told: \(error)")
        }
        try claim(harmfulScalar(in: error.description) == nil, "a control character in \(error.description.debugDescription)")
      }
    }
  }

  @Test func flagsAreReadOrRefused() {
    Fuzz.run { one in
      let arguments = (0..<one.random.below(5)).map { _ in
        let flag = one.random.pick(Setting.worker.map(\.flag) + ["--kafka-acks", "--help", "-h", "--version", "--", "-", "--kafka-"])
        return one.random.pick([
          flag, "\(flag)=\(one.random.text())", one.random.text(), String(decoding: one.random.mutated(Array(flag.utf8)), as: UTF8.self),
        ])
      }
      _ = one.given("\(arguments)")
      do {
        guard case .run(let flags) = try WorkerFlags.parse(arguments) else { return }
        try claim(flags.keys.allSatisfy { !$0.isEmpty }, "\(flags)")
      } catch let error as SettingError {
        try claimSentence(error.description, limit: 200_000)
        try claim(harmfulScalar(in: error.description) == nil, "a control character in \(error.description.debugDescription)")
      }
    }
  }

  @Test func addressesOfRedisAreReadBackOrRefused() {
    Fuzz.run { one in
      let usual = one.random.pick([
        "redis://localhost", "redis://user:p%40ss@host:6380/3", "redis://:pw@[::1]:1/0", "unix:///run/redis.sock?db=2", "redis://h/",
        "rediss://h", "redis://u:\(one.random.text())@h", "redis://\(one.random.text())",
      ])
      let text = one.given(one.random.chance(40) ? usual : String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      do {
        let url = try RedisURL(text)
        let again = try RedisURL(url.description.replacing("***@", with: ""))
        try claim(again.address == url.address && again.database == url.database, "\(url) became \(again)")
        if let password = url.password, password.utf8.count > 8 { try claim(!url.description.contains(password), "told: \(url)") }
        switch url.address {
        case .tcp(let host, let port): try claim(!host.isEmpty && (1...65535).contains(port) && !host.utf8.contains(0), "\(url)")
        case .unix(let path): try claim(path.hasPrefix("/") && path.utf8.count < 108 && !path.utf8.contains(0), "\(url)")
        }
      } catch let error as RedisError {
        try claimSentence(error.message, limit: 500)
      }
    }
  }
}
