/// That a dead letter is done with: a record without a value, behind the letter in the same partition and with the same key.
public struct Settlement: Hashable, Sendable {
  public enum Action: String, Sendable, CaseIterable { case replayed, discarded }

  /// The letter's offset.
  public let offset: Int64
  public let action: Action
  /// RFC 3339.
  public let time: String

  public init(offset: Int64, action: Action, time: String) {
    self.offset = offset
    self.action = action
    self.time = time
  }

  /// Reads a record of a dead-letter topic; `nil` when it is no settlement, but a letter.
  ///
  /// A letter keeps the headers its message came with, those of a settlement included, so these alone prove nothing: what tells the two
  /// apart is the time of failure, which every letter has, written by the stage.
  public init?(_ record: ReceivedMessage) {
    guard record.value == nil, !record.headers.contains(where: { $0.name == HeaderName.failedAt }),
      let offset = record.headers[HeaderName.settled].flatMap({ Int64($0) }), offset >= 0, offset < record.offset,
      let action = record.headers[HeaderName.settledAction].flatMap(Action.init)
    else { return nil }
    self.init(offset: offset, action: action, time: record.headers[HeaderName.settledAt] ?? "")
  }

  public var headers: [MessageHeader] {
    [
      MessageHeader(HeaderName.settled, String(offset)), MessageHeader(HeaderName.settledAction, action.rawValue),
      MessageHeader(HeaderName.settledAt, time),
    ]
  }
}

extension HeaderName {
  /// On a settlement: the offset of the letter that is done with.
  public static let settled = "tubeline-settled"
  public static let settledAction = "tubeline-settled-action"
  public static let settledAt = "tubeline-settled-at"
  /// On a replayed message: the place where its bytes were first published, `channel-requests-0-7`. The id of a request that named none.
  public static let firstOrigin = "tubeline-first-origin"
  /// On a replayed message: its letter, `channels-dead-0-3`.
  public static let replayOf = "tubeline-replay-of"
}
