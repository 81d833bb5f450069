import Dispatch
import Foundation
import Synchronization

/// The thread that starts children which end with this process: it ends no earlier.
final class StartingThread: Sendable {
  static let shared = StartingThread()

  private let jobs = Mutex<[@Sendable () -> Void]>([])
  private let arrival = DispatchSemaphore(value: 0)

  private init() {
    let thread = Thread { [self] in
      while true {
        arrival.wait()
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?()
      }
    }
    thread.name = "child.start"
    thread.stackSize = 512 << 10
    thread.start()
  }

  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      jobs.withLock { $0.append { continuation.resume(with: Result { try body() }) } }
      arrival.signal()
    }
  }
}
