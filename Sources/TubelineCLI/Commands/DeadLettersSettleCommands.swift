import FoundationEssentials
import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline dead-letters replay`: back to where they came from.
enum DeadLettersReplayCommand: Command {
  static let specification = CommandSpecification(
    name: "dead-letters replay", summary: "puts dead letters back on the topics they came from, each once", operands: "[LETTER…]",
    options: DeadLetterSelection.flags + DeadLettersSettling.flags, settings: [.kafkaServers, .topicPrefix],
    examples: [
      .init("tubeline dead-letters replay --code attemptsExhausted --since 1d --dry-run", "What would go back after yesterday's outage."),
      .init("tubeline dead-letters replay playlists-0-17", "One letter."),
    ],
    notes: [
      """
      Publishes the original bytes, key and headers on the original topic, with the attempts counted from the beginning, and prints each
      letter and that topic. A request goes on under its id: after failed, its events say completed. A page of records comes after its
      request's completed, which the last page repeats. A message that fails again becomes a new letter. Letters that no stage could have written are left as they are (exit code 1).
      """,
      """
      Exactly once: message and a settlement mark behind the letter are published in one transaction, so a letter that was replayed is not
      replayed again, however this command was interrupted and repeated. A second run at the same time takes over from the first, which ends
      with exit code 1. On the embedded broker, whose transactions hide nothing, the message is published first and the mark after it, a
      letter at a time: when the command is killed between the two, the next run replays that one letter again, and nothing keeps two runs
      at the same time from doing so. Workers pass the repetition over where Tubeline published the original message.
      """,
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode { try await DeadLettersSettling.run(.replayed, invocation) }
}

/// `tubeline dead-letters discard`: done with, without another try.
enum DeadLettersDiscardCommand: Command {
  static let specification = CommandSpecification(
    name: "dead-letters discard", summary: "marks dead letters as done with, without replaying them", operands: "[LETTER…]",
    options: DeadLetterSelection.flags + DeadLettersSettling.flags, settings: [.kafkaServers, .topicPrefix],
    examples: [.init("tubeline dead-letters discard --code unknownReference --until 7d", "Misspelt names of more than a week ago.")],
    notes: [
      """
      Publishes a settlement mark behind each letter and prints the letter's name. The letters stay in their topics until retention takes
      them: list --include-settled, show and export still find them, replay does not.
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode { try await DeadLettersSettling.run(.discarded, invocation) }
}

/// What `replay` and `discard` have in common.
enum DeadLettersSettling {
  static let flags = [
    OptionSpecification("--all", "Every letter that waits; needed when no other selection is given."),
    OptionSpecification("--limit", "N", "At most N letters."),
    OptionSpecification("--dry-run", "Print what would be done, and publish nothing."),
  ]

  static func run(_ action: Settlement.Action, _ invocation: Invocation) async throws -> ExitCode {
    let arguments = invocation.arguments
    let selection = try DeadLetterSelection(arguments, now: Date())
    guard DeadLetterSelection.isMissing(in: arguments) == arguments.has("--all") else {
      throw UsageError(
        arguments.has("--all")
          ? "--all and a selection exclude each other."
          : "Say which letters: by name, \(DeadLetterSelection.flags.map(\.name).joined(separator: ", ")), or --all.")
    }
    let limit = try arguments.number("--limit", in: 0 ... .max) ?? .max
    let configuration = try invocation.configuration()
    let signal = Signal()
    let interruption = Occurrence(signal: signal)
    let signals = ShutdownSignals { interruption.happen() }
    defer { withExtendedLifetime(signals) {} }
    let reader = DeadLetterReader(
      kafka: configuration.kafka, prefix: configuration.topicPrefix, messages: invocation.messages, signal: signal,
      interruption: interruption)
    let settler = arguments.has("--dry-run") ? nil : try await self.settler(configuration)
    let run = LetterSettlingRun(
      selection: selection, action: action, limit: limit, reader: reader, settler: settler, output: invocation.output,
      messages: invocation.messages)
    do {
      let outcome = try await run.run()
      await settler?.close()
      invocation.messages.line(sentence(outcome, action, isDry: settler == nil))
      return outcome.isComplete ? .done : .incomplete
    } catch {
      await settler?.close()
      throw error
    }
  }

  private static func settler(_ configuration: AppConfiguration) async throws -> any LetterSettler {
    let cluster = try await configuration.kafka.withAdmin { try await $0.cluster(at: configuration.kafka.bootstrapServers) }
    return cluster.isMockCluster
      ? try OrderedLetterSettler(kafka: configuration.kafka)
      : try TransactionalLetterSettler(kafka: configuration.kafka, prefix: configuration.topicPrefix)
  }

  private static func sentence(_ outcome: LetterSettlingRun.Outcome, _ action: Settlement.Action, isDry: Bool) -> String {
    let count = "\(Spans.count(outcome.settled)) \(outcome.settled == 1 ? "letter" : "letters")"
    var text = isDry ? "\(count) would be \(action.rawValue); nothing was published." : "\(count) \(action.rawValue)."
    if outcome.failed > 0 { text += " \(Spans.count(outcome.failed)) left as they are." }
    if outcome.wasInterrupted { text += " Interrupted; run the command again for the rest." }
    return text
  }
}
