/// What a process expects of the ledger at its next reservation.
public struct Expectation: Sendable {
  /// What it has seen; nil is nothing yet.
  public var memory: LedgerMemory?
  /// Whether a ledger that was marked as lost is taken as it is.
  public private(set) var acceptsDoubt = false

  public init() {}

  public static let anything: Expectation = {
    var expectation = Expectation()
    expectation.acceptsDoubt = true
    return expectation
  }()

  /// A reservation was answered; what it has seen is what the next one must find. Only a grant is written, and ends the doubt.
  public mutating func met(by reservation: Reservation, _ seen: LedgerMemory?) {
    if case .granted = reservation { acceptsDoubt = false }
    if let seen { memory = LedgerMemory.after(memory, seeing: seen) }
  }
}
