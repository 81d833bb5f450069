import Kafka
import Telemetry

/// Publishes what settles letters.
protocol LetterSettler: Sendable {
  /// How many letters are given to `settle` at most.
  var batch: Int { get }
  /// Returns when no other run is at work on the topics any more; before this, what they hold may still change.
  func prepare() async throws
  /// Returns the letters that could not be settled, each with the reason. Throws when no further one can be.
  func settle(_ letters: [LetterSettling]) async throws -> [DeadLetterID: String]
  func close() async
}

/// For clusters with transactions: a letter's replay and its settlement become visible together or not at all.
struct TransactionalLetterSettler: LetterSettler {
  private let producer: TransactionalProducer
  let batch = 100

  /// - Parameter prefix: the installation's; one run at a time may settle its letters.
  init(kafka: KafkaConfiguration, prefix: String) throws {
    producer = try TransactionalProducer(
      configuration: kafka, transactionalID: prefix + "tubeline-dead-letters", clientID: "tubeline-cli", logger: .silent)
  }

  /// Fences a run that is under way, and waits until its last transaction is ended.
  func prepare() async throws {
    do { try await producer.initialise(timeout: .seconds(60)) } catch { throw Self.explained(error) }
  }

  func settle(_ letters: [LetterSettling]) async throws -> [DeadLetterID: String] {
    do { return try await attempt(letters) } catch { throw Self.explained(error) }
  }

  private func attempt(_ letters: [LetterSettling]) async throws -> [DeadLetterID: String] {
    try await producer.begin()
    let refusal: KafkaError
    do {
      try await producer.send(letters.flatMap { [$0.replay, $0.settlement].compactMap { $0 } })
      try await commit()
      return [:]
    } catch let error as ProduceError {
      refusal = error.failures.first { $0.error.isFatal }?.error ?? error.first
    } catch let error as KafkaError where error.isAbortable { refusal = error }
    if refusal.isFatal { throw refusal }
    try await producer.abort()
    guard letters.count > 1 else { return Dictionary(uniqueKeysWithValues: letters.map { ($0.id, refusal.description) }) }
    // One that the broker refuses must not keep the others back.
    var failures: [DeadLetterID: String] = [:]
    for letter in letters { failures.merge(try await attempt([letter])) { $1 } }
    return failures
  }

  private func commit() async throws {
    // The library goes on with a commit that timed out, and must be asked for its outcome.
    for step in 1...6 {
      do { return try await producer.commit(timeout: .seconds(10)) } catch let error as KafkaError
        where step < 6 && error.isRetriable && !error.isFatal && !error.isAbortable
      { continue }
    }
  }

  func close() async { await producer.close() }

  private static func explained(_ error: any Error) -> any Error {
    guard let error = error as? KafkaError else { return error }
    if ["_FENCED", "PRODUCER_FENCED", "INVALID_PRODUCER_EPOCH"].contains(error.name) {
      return CommandError("Another run of dead-letters has taken over. What this one printed is done, and nothing is done twice.")
    }
    return CommandError("\(error.description). What was printed is done; run the command again for the rest: nothing is done twice.")
  }
}

/// For the embedded broker, whose transactions hide nothing: first the message, then its settlement, a letter at a time.
struct OrderedLetterSettler: LetterSettler {
  private let producer: Producer
  let batch = 1

  init(kafka: KafkaConfiguration) throws {
    producer = try Producer(configuration: kafka, clientID: "tubeline-cli", logger: .silent)
  }

  func prepare() async throws {}

  func settle(_ letters: [LetterSettling]) async throws -> [DeadLetterID: String] {
    var failures: [DeadLetterID: String] = [:]
    for letter in letters {
      do throws(ProduceError) {
        if let replay = letter.replay { try await producer.send([replay]) }
      } catch {
        failures[letter.id] = error.first.description
        continue
      }
      do throws(ProduceError) { try await producer.send([letter.settlement]) } catch {
        throw CommandError(
          "\(letter.id) was replayed but could not be marked, so the next run replays it again: \(error.first.description)")
      }
    }
    return failures
  }

  func close() async { await producer.close() }
}
