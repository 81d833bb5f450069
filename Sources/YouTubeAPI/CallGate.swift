public import FoundationEssentials

/// Why a call may not be made.
public enum CallRefusal: Error, Sendable, Equatable {
  case cancelled
  /// Quota comes back only then, which is longer than the caller wants to wait in its place.
  case notBefore(Date)
}

/// The quota ledger as the client sees it: it is asked before every HTTP request, retries included.
public protocol CallGate: Sendable {
  /// Waits until the call may be made, however long, unless the gate says when it will be.
  func admit(_ method: APIMethod) async throws(CallRefusal) -> CallPermit

  /// The request certainly did not reach the API: its cost goes back.
  func refund(_ permit: CallPermit) async

  /// The API said that the daily bucket of this call is used up; the next `admit` has to wait for the reset.
  ///
  /// The permit tells the day: an answer that comes after the reset says nothing about the new day.
  func exhausted(_ permit: CallPermit) async

  /// The API answered the call.
  func answered(_ permit: CallPermit) async
}

extension CallGate {
  public func answered(_ permit: CallPermit) async {}
}
