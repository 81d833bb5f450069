/// What a process expects of the ledger at its next reservation.
public struct Expectation: Sendable {
  /// The process's own name in the ledger. Answers to what was asked under an earlier one say nothing of this one's entries.
  public let writer = Ledger.randomID()
  /// What it has seen; nil is nothing yet.
  public private(set) var memory: LedgerMemory?
  /// Its own last entry, while the ledger must know it.
  public private(set) var written: LedgerMemory?
  /// Whether a ledger that was marked as lost is taken as it is.
  public private(set) var acceptsDoubt = false

  public init() {}

  public static var anything: Expectation {
    var expectation = Expectation()
    expectation.acceptsDoubt = true
    return expectation
  }

  /// A reservation was answered; what it has seen is what the next one must find. Only a grant is written, and ends the doubt.
  public mutating func met(by reservation: Reservation, _ seen: LedgerMemory?, as writer: String) {
    guard writer == self.writer else { return }
    if let seen { see(seen) }
    guard case .granted = reservation else { return }
    acceptsDoubt = false
    written = seen
  }

  /// The ledger was looked at. Answers may arrive out of order.
  public mutating func see(_ seen: LedgerMemory) {
    if let memory, !seen.continues(memory) { written = nil }
    memory = LedgerMemory.after(memory, seeing: seen)
  }

  /// The process has entered itself in the ledger: with the first look, or because something was lost. That is what may not be lost next.
  public mutating func entered(_ entry: LedgerMemory, as writer: String) {
    guard writer == self.writer else { return }
    memory = entry
    written = entry
  }
}
