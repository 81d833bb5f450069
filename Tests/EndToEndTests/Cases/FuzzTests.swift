import Foundation
import JSON
import Kafka
import Messages
import TestSupport
import Testing

extension EndToEndTests {
  /// 10,000 random and mutated requests.
  @Suite(
    .serialized,
    .world(
      .init(
        settings: ["QUOTA_DAILY_UNITS": "1000000"],
        stub: ["--channels", "20", "--videos", "3", "--quota-default", "1000000"], workers: 1)),
    .timeLimit(.minutes(5)))
  struct FuzzTests {
    static let count = 10_000
    /// Resident memory that no worker may pass, in kB; they start at about 50,000.
    static let memoryBound = 150_000

    @Test func everyRequestEndsInOneEventAndNoWorkerDies() async throws {
      let world = try World.current
      let seed = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0 ... .max)
      print("fuzz: seed \(seed); FUZZ_SEED=\(seed) repeats it")
      var generator = RequestGenerator(seed: seed)
      var requests: [[UInt8]?] = []
      for number in 0..<Self.count { requests.append(generator.request(number)) }
      let topic = world.prefix + Topic.channelRequests.name
      for start in stride(from: 0, to: requests.count, by: 500) {
        try await world.producer.send(requests[start..<min(start + 500, requests.count)].map { ProducerRecord(topic: topic, value: $0) })
      }
      let expected = try await Self.identifiers(world)
      let isDone = try await world.log.state.wait(within: .seconds(200)) { state in
        expected.allSatisfy { state.endings($0.key).count >= $0.value } ? true : nil
      }
      let open = world.log.state.read { state in expected.filter { state.endings($0.key).count < $0.value }.map(\.key) }
      #expect(isDone == true, "seed \(seed): \(open.count) without an end, such as \(open.prefix(3)) \(world.summary())")
      try await world.log.caughtUp()
      Self.eachEndsOnce(world, expected, seed)
      for worker in world.workers() {
        #expect(worker.isRunning, "seed \(seed)")
        let peak = try Self.peakMemory(worker)
        print("\(worker.name): at most \(peak) kB resident")
        #expect(peak < Self.memoryBound)
      }
    }

    /// The id by which each request must be answered, its own where it tells one, otherwise its place; and how many tell the same.
    private static func identifiers(_ world: World) async throws -> [String: Int] {
      try await world.wait("the requests themselves") { ($0.messages[.channelRequests]?.count ?? 0) >= count ? true : nil }
      var result: [String: Int] = [:]
      for message in world.messages(.channelRequests) {
        let place = "channel-requests-\(message.record.partition)-\(message.record.offset)"
        let own = ownID(message.record.value ?? [])
        result[own ?? place, default: 0] += 1
      }
      return result
    }

    private static func ownID(_ value: [UInt8]) -> String? {
      let text = value.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(value.dropFirst(3)) : value
      return (try? JSONTree.parse(text))?["requestId"]?.string.flatMap { $0.isEmpty || $0.utf8.count > 256 ? nil : $0 }
    }

    private static func eachEndsOnce(_ world: World, _ expected: [String: Int], _ seed: UInt64) {
      let endings = world.log.state.read { state in expected.keys.map { ($0, state.endings($0)) } }
      let wrong = endings.filter { $0.1.count != expected[$0.0] }
      #expect(wrong.isEmpty, "seed \(seed): \(wrong.prefix(3))")
      var kinds: [String: Int] = [:]
      for ending in endings.flatMap(\.1) { kinds[ending["type"]?.string ?? "?", default: 0] += 1 }
      print("fuzz: \(kinds.sorted { $0.key < $1.key })")
      let given = kinds["rejected", default: 0] + kinds["failed", default: 0]
      #expect(world.deadLetters().count == given, "a dead letter for each that was rejected, and no other")
      #expect(kinds["failed", default: 0] == 0, "the API was well")
      #expect(kinds["completed", default: 0] > 100 && kinds["rejected", default: 0] > 1000, "the mixture says something")
    }

    private static func peakMemory(_ process: StartedProgram) throws -> Int {
      let status = try ProcessFile.text("/proc/\(process.pid)/status")
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? .max
    }
  }

  /// Requests as people and programs send them, and what becomes of them on the way.
  struct RequestGenerator {
    private var mutator: Mutator

    init(seed: UInt64) { mutator = Mutator(seed: seed) }

    mutating func request(_ number: Int) -> [UInt8]? {
      switch mutator.below(100) {
      case 0: nil
      case 1..<8: (0..<mutator.below(200)).map { _ in UInt8(truncatingIfNeeded: mutator.next()) }
      case 8..<10: Array(String(repeating: mutator.pick(["x", "[", "{\"a\":", "\u{1F600}", "%F0"]), count: mutator.below(20_000)).utf8)
      case 10..<35: mutator.mutated(Array(text().utf8))
      case 35..<50: Array(text().utf8)
      case 50..<65: json(number).bytes()
      case 65..<80: mutator.mutated(json(number))
      default: mutator.mutated(json(number).bytes())
      }
    }

    private mutating func text() -> String {
      let channel = mutator.below(30)
      return mutator.pick([
        "@stub-channel-\(channel)", "stubchannel\(channel)", "https://www.youtube.com/@stub-channel-\(channel)",
        "youtu.be/aaaaaaaaa\(channel % 10)",
        "https://m.youtube.com/c/stub-channel-\(channel)?x=1",
        "https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\(channel)",
        "https://www.youtube.com/watch?v=bbbbbbbbb\(channel % 10)&t=1", "https://vimeo.com/\(channel)",
        "www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa",
        "日本語\(channel)", "a b \(channel)", "'@nobody\(channel)'", "<https://youtube.com/user/stubchannel\(channel)>",
      ])
    }

    private mutating func json(_ number: Int) -> JSONTree {
      var tree: JSONTree = .object([
        .init(mutator.pick(["channel", "url", "id", "handle", "username", "video", "playlist"]), .string(text()))
      ])
      if mutator.chance(50) { tree["requestId"] = .string("fuzz-\(number)-\(mutator.next())") }
      if mutator.chance(30) { tree["scope"] = .string(mutator.pick(["details", "uploads", "video"])) }
      if mutator.chance(20) { tree["maxVideos"] = .int(mutator.below(5)) }
      if mutator.chance(20) { tree["enrich"] = .bool(mutator.chance(50)) }
      if mutator.chance(10) { tree["publishedAfter"] = "2020-01-01T00:00:00Z" }
      if mutator.chance(5) { tree["expiresAt"] = "2020-01-01T00:00:00Z" }
      return tree
    }
  }
}
