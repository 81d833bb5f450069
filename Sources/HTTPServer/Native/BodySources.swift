import CMicrohttpd
import Synchronization

/// Sends its bytes and then breaks off, although more were announced.
final class TruncatedSource: BodySource {
  private var bytes: ArraySlice<UInt8>

  init(bytes: [UInt8]) { self.bytes = bytes[...] }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !bytes.isEmpty else { return Int(tl_mhd_end_with_error()) }
    let piece = bytes.prefix(buffer.count)
    buffer.copyBytes(from: piece)
    bytes = bytes.dropFirst(piece.count)
    return piece.count
  }
}

/// Sends chunks as a task brings them; holds one chunk, so a slow client slows the task.
final class StreamSource: BodySource, @unchecked Sendable {
  // because the connection pointer is used only while the response is being sent, and the rest lies in `state`
  private let connection: OpaquePointer
  private let state = Mutex(State())

  private struct State {
    var chunk: ArraySlice<UInt8> = []
    var isFinished = false
    var isSuspended = false
    var producer: CheckedContinuation<Void, Never>?
  }

  init(connection: OpaquePointer) { self.connection = connection }

  func pump(_ stream: AsyncStream<[UInt8]>) async {
    for await chunk in stream where !chunk.isEmpty {
      change { $0.chunk = chunk[...] }
      await emptied()
    }
    end()
  }

  /// Ends the body behind what is already there.
  func end() { change { $0.isFinished = true } }

  /// The connection is gone: whoever produces must no longer wait for it.
  func abandon() {
    end()
    takeProducer()?.resume()
  }

  private func change(_ body: (inout State) -> Void) {
    let wasSuspended = state.withLock { state in
      body(&state)
      defer { state.isSuspended = false }
      return state.isSuspended
    }
    if wasSuspended { MHD_resume_connection(connection) }
  }

  private func emptied() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isEmpty = state.withLock { state in
          if !state.chunk.isEmpty && !state.isFinished && !Task.isCancelled { state.producer = continuation }
          return state.producer == nil
        }
        if isEmpty { continuation.resume() }
      }
    } onCancel: {
      takeProducer()?.resume()
    }
  }

  private func takeProducer() -> CheckedContinuation<Void, Never>? {
    state.withLock { state in
      defer { state.producer = nil }
      return state.producer
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (count, producer) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
      guard state.chunk.isEmpty else {
        let piece = state.chunk.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        state.chunk = state.chunk.dropFirst(piece.count)
        guard state.chunk.isEmpty else { return (piece.count, nil) }
        defer { state.producer = nil }
        return (piece.count, state.producer)
      }
      if state.isFinished { return (Int(tl_mhd_end_of_stream()), nil) }
      MHD_suspend_connection(connection)
      state.isSuspended = true
      return (0, nil)
    }
    producer?.resume()
    return count
  }
}
