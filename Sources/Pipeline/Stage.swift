public import FoundationEssentials
public import Messages

/// One step of the flow: a message in, messages out. It holds no offsets and knows no Kafka.
public protocol Stage: Sendable {
  var name: StageName { get }
  /// The topics it consumes, beside its own retry topic.
  var inputs: [Topic] { get }
  /// Whether a message that failed is handled again here rather than through the stage's retry topic.
  var retriesInPlace: Bool { get }

  /// Whether a message that came before in the same partition, by its CloudEvents id, is passed over.
  ///
  /// For topics that only Tubeline writes: there a repetition is a step that two workers did, and handling it would repeat all that follows.
  var skipsRepetitions: Bool { get }

  /// Whether that goes for this message, too: a topic may hold our own messages beside those of others.
  func skipsRepetition(of message: ReceivedMessage) -> Bool

  /// What the message leads to. Outputs are published in this order, together with the message's offset.
  func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage]

  /// The outputs as they are to be published. Everything before the message in its partition has been handled by now, and what became of it
  /// may change them. Not called again when a delivery is tried again.
  func conclude(_ outputs: [OutgoingMessage], of message: ReceivedMessage) -> [OutgoingMessage]

  /// What goes beside the dead letter of a message that was given up: the events that tell its request so.
  func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage]

  /// The message's outputs are published, with its offset. For what may be done no earlier, such as moving a watermark.
  ///
  /// Called for messages of one partition and key one after the other, in their order, and for others at the same time; the next delivery
  /// waits for all. It may be called again with the same message, and is not called at all when the process ends just then.
  func delivered(_ message: ReceivedMessage, _ outputs: [OutgoingMessage]) async
}

extension Stage {
  public func skipsRepetition(of message: ReceivedMessage) -> Bool { true }
  public func conclude(_ outputs: [OutgoingMessage], of message: ReceivedMessage) -> [OutgoingMessage] { outputs }
  public func delivered(_ message: ReceivedMessage, _ outputs: [OutgoingMessage]) async {}
}

/// Why a message was not handled. The list is closed: each case is one reaction of the worker.
public enum StageFailure: Error, Sendable, Equatable {
  /// A passing trouble: try again, not before `after`. It consumes an attempt.
  case retry(after: Duration?, Rejection)
  /// Not before this time, through no fault of the message: no attempt is consumed, and others go on meanwhile.
  case postpone(until: Date, Rejection)
  /// The message can never be handled: it is dead-lettered at once.
  case reject(Rejection)
  /// Nothing of this stage can be handled until somebody mends the configuration; `fix` says how. No attempt is consumed.
  case stop(fix: String)
  /// The work was cancelled: the message stays unfinished and is read again by its next owner.
  case cancelled
}

/// A dead letter's reason.
public struct Rejection: Sendable, Equatable {
  public let code: DeadLetterCode
  /// A sentence for people.
  public let message: String
  /// The requestId, where the message told one although it was unusable.
  public let requestID: String?
  /// Whether the API was asked and refused: the call counts as one that was answered.
  public let isAnswer: Bool

  public init(_ code: DeadLetterCode, _ message: String, requestID: String? = nil, isAnswer: Bool = false) {
    self.code = code
    self.message = message
    self.requestID = requestID
    self.isAnswer = isAnswer
  }
}
