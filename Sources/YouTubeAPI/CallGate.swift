/// The quota ledger as the client sees it: it is asked before every HTTP request, retries included.
public protocol CallGate: Sendable {
  /// Waits until the call may be made, however long.
  func admit(_ method: APIMethod) async throws(CancellationError) -> CallPermit

  /// The request certainly did not reach the API: its cost goes back.
  func refund(_ permit: CallPermit) async

  /// The API said that the daily bucket of this call is used up; the next `admit` has to wait for the reset.
  ///
  /// The permit tells the day: an answer that comes after the reset says nothing about the new day.
  func exhausted(_ permit: CallPermit) async
}
