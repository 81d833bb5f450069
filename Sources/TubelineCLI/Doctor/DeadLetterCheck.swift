import Messages
import WorkerApp

/// How many dead letters wait for somebody to decide.
struct DeadLetterCheck: Sendable {
  let configuration: AppConfiguration

  func finding() async -> Finding {
    let reader = DeadLetterReader(
      kafka: configuration.kafka, prefix: configuration.topicPrefix, messages: MessageOutput(isTerminal: false) { _ in })
    do {
      let census = try await reader.census(StageName.allCases)
      let counts = StageName.allCases.map { stage in
        (stage, census.waiting.filter { $0.key.topic == reader.topic(stage) }.values.reduce(0) { $0 + $1.count })
      }
      return Self.finding(counts.filter { $0.1 > 0 })
    } catch {
      return .unknown("dead letters", "\(error)")
    }
  }

  // Somebody's misspelt name is no fault of the installation.
  static func finding(_ counts: [(stage: StageName, letters: Int)]) -> Finding {
    guard !counts.isEmpty else { return .ok("dead letters", "none wait") }
    let stages = counts.map { "\($0.stage.rawValue) \(Spans.count($0.letters))" }.joined(separator: ", ")
    let all = counts.reduce(0) { $0 + $1.letters }
    return .unknown("dead letters", "\(Spans.count(all)) \(all == 1 ? "waits" : "wait") (\(stages)); see: tubeline dead-letters list")
  }
}
