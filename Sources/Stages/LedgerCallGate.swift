public import Quota
import Synchronization
public import YouTubeAPI

/// Lets API calls through as the quota ledger grants them.
public final class LedgerCallGate: CallGate {
  private let gate: QuotaGate
  private let waiting = Mutex(Waiting())

  private struct Waiting {
    var tasks: [Int: Task<Result<Grant, CancellationError>, Never>] = [:]
    var next = 0
    var isStopped = false
  }

  public init(_ gate: QuotaGate) { self.gate = gate }

  /// Ends every wait at once and admits nothing more: a worker that leaves does not wait for midnight.
  public func stopWaiting() {
    let tasks = waiting.withLock { waiting in
      waiting.isStopped = true
      return Array(waiting.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  public func admit(_ method: APIMethod) async throws(CancellationError) -> CallPermit {
    let grant = try await wait(for: CallCost.of(method.rawValue) ?? CallCost(bucket: .default, units: 1))
    return CallPermit(method: method, token: grant)
  }

  private func wait(for cost: CallCost) async throws(CancellationError) -> Grant {
    // Nothing is begun once it is stopped: a grant that comes at the same moment would be spent on no call.
    let begun = waiting.withLock { [gate] waiting -> (Int, Task<Result<Grant, CancellationError>, Never>)? in
      guard !waiting.isStopped else { return nil }
      let task = Task<Result<Grant, CancellationError>, Never> {
        do throws(CancellationError) { return .success(try await gate.admit(cost)) } catch { return .failure(error) }
      }
      waiting.next += 1
      waiting.tasks[waiting.next] = task
      return (waiting.next, task)
    }
    guard let (ticket, task) = begun else { throw CancellationError() }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    waiting.withLock { $0.tasks[ticket] = nil }
    return try result.get()
  }

  public func refund(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    await gate.refund(grant)
  }

  public func exhausted(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    await gate.exhaust(grant)
  }
}
