import CMicrohttpd
import Dispatch

/// Notices that the client of a suspended connection has left, which libmicrohttpd does not look for.
final class PeerWatch: @unchecked Sendable {
  // because a dispatch source may be used from any thread
  private let source: any DispatchSourceRead
  private let timer: DispatchWorkItem

  /// Calls `ended` once: when the peer closed its side, or at the limit. The descriptor stays the caller's.
  init(descriptor: Int32, limit: Duration, ended: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "tubeline.http-server.peer-watch")
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    timer = DispatchWorkItem(block: ended)
    let source = source
    source.setEventHandler {
      // Bytes to read are the client's next request: it is still there, and looking again would find the same bytes.
      source.cancel()
      if tl_mhd_peer_left(descriptor) != 0 { ended() }
    }
    source.resume()
    queue.asyncAfter(deadline: .now() + .seconds(Int(clamping: limit.components.seconds)), execute: timer)
  }

  func cancel() {
    source.cancel()
    timer.cancel()
  }
}
