import Synchronization

/// Watermarks in this process's memory, for tests.
public final class MemoryWatermarkStore: WatermarkStore {
  private struct State: Sendable {
    var records: [String: WatermarkRecord] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let time: HostTime

  public init(time: HostTime = .system) { self.time = time }

  public func read(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    try update(list) { $0.reading(at: $1) }
  }

  public func advance(_ list: String, to listing: CompletedListing) async throws(QuotaStoreError) {
    try update(list) { $0.advance(to: listing, at: $1) }
  }

  public func bar(_ list: String, startedUntil time: Int) async throws(QuotaStoreError) {
    try update(list) { $0.bar(startedUntil: time, at: $1) }
  }

  public func probe() async throws(QuotaStoreError) {
    if state.withLock({ $0.isClosed }) { throw .closed }
  }

  public func close() async { state.withLock { $0.isClosed = true } }

  private func update<Result: Sendable>(
    _ list: String, _ body: (inout WatermarkRecord, Int) -> Result
  ) throws(QuotaStoreError) -> Result {
    try state.withLock { state throws(QuotaStoreError) in
      guard !state.isClosed else { throw .closed }
      return body(&state.records[list, default: WatermarkRecord()], time.now())
    }
  }
}
