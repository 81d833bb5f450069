import Foundation
import JSON
import Messages
import Testing

/// Secrets that are told from everything else, and everything that was seen of a run, to look for them.
struct MarkedSecrets {
  let apiKey = "AIzaMARK\(Self.mark())"
  let redisPassword = "redisMARK\(Self.mark())@:/%"
  let saslPassword = "saslMARK\(Self.mark())"
  let keyPassword = "tlsMARK\(Self.mark())"
  private(set) var seen: [(place: String, text: String)] = []

  private static func mark() -> String { String(UInt64.random(in: .max / 2 ... .max), radix: 16) }

  /// What survives percent-encoding.
  private var marks: [String] {
    [apiKey, redisPassword, saslPassword, keyPassword].map { secret in String(secret.prefix { $0.isLetter || $0.isNumber }) }
  }

  mutating func add(_ place: String, _ text: String) { seen.append((place, text)) }

  mutating func add(_ program: StartedProgram) {
    program.state.read { add("\(program.name)'s output", ($0.log + $0.output).joined(separator: "\n")) }
  }

  /// The arguments of every process of this machine: those that a program starts are among them.
  mutating func addCommandLines() throws {
    for id in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(id) != nil {
      // It may have ended meanwhile.
      guard let line = try? ProcessFile.text("/proc/\(id)/cmdline") else { continue }
      add("the command line of process \(id)", line)
    }
  }

  mutating func addAnswers(of port: UInt16) async throws {
    for path in ["healthz", "readyz", "metrics", "other"] {
      add("/\(path)", try await HTTP.send("GET", "http://127.0.0.1:\(port)/\(path)").text)
    }
  }

  /// Keys, values and headers of all topics.
  mutating func addMessages(of world: World) async throws {
    try await world.log.caughtUp()
    for topic in Topic.all.map(\.topic) {
      for message in world.messages(topic) {
        let record = message.record
        let parts = [record.key, record.value] + record.headers.map(\.value)
        let names = record.headers.map(\.name).joined(separator: " ")
        add("a message in \(topic)", names + parts.map { String(decoding: $0 ?? [], as: UTF8.self) }.joined(separator: " "))
      }
    }
  }

  mutating func addFile(_ path: String) throws {
    add(path, String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self))
  }

  func expectNone() {
    #expect(!seen.isEmpty)
    for (place, text) in seen {
      for mark in marks where text.contains(mark) {
        let line = text.split(separator: "\n").first { $0.contains(mark) } ?? ""
        Issue.record("a secret is shown in \(place): \(line.prefix(1000))")
      }
    }
  }
}
