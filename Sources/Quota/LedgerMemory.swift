/// What one process has seen of the ledger: enough to notice when the store lost it or went back to an old copy.
public struct LedgerMemory: Sendable, Equatable {
  public let id: String
  public let sequence: Int
  public let time: Int
  /// The storage's clock then, at most `time`, which may have been ahead of it: the operator's word comes at that clock's time.
  public let clock: Int

  public init(id: String, sequence: Int, time: Int, clock: Int) {
    self.id = id
    self.sequence = sequence
    self.time = time
    self.clock = min(time, clock)
  }

  /// Whether it may be of the same ledger, before or after `memory`: there, a later time never comes with fewer changes.
  func continues(_ memory: LedgerMemory) -> Bool { id == memory.id && !(sequence < memory.sequence && time > memory.time) }

  /// The memory after one more answer; answers may arrive out of order.
  public static func after(_ memory: LedgerMemory?, seeing seen: LedgerMemory) -> LedgerMemory {
    guard let memory else { return seen }
    if seen.continues(memory) {
      return LedgerMemory(
        id: seen.id, sequence: max(memory.sequence, seen.sequence), time: max(memory.time, seen.time),
        clock: max(memory.clock, seen.clock))
    }
    return seen.time >= memory.time ? seen : memory
  }
}
