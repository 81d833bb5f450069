import CMicrohttpd

/// Bytes that libmicrohttpd asks for piece by piece, on its thread.
protocol BodySource: AnyObject {
  /// Fills the buffer and returns the count, 0 after suspending the connection, or one of MHD's ends.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// Turns responses into libmicrohttpd's.
enum ResponseWriter {
  static func queue(_ response: HTTPServer.Response, bytes: [UInt8], on connection: OpaquePointer) -> MHD_Result {
    let native = bytes.withUnsafeBytes { tl_mhd_copied_response($0.baseAddress, $0.count) }
    return queue(native, response, on: connection)
  }

  static func queue(_ response: HTTPServer.Response, source: any BodySource, size: UInt64, on connection: OpaquePointer) -> MHD_Result {
    let box = Unmanaged.passRetained(SourceBox(source))
    guard let native = MHD_create_response_from_callback(size, 16 * 1024, readSource, box.toOpaque(), freeSource) else {
      box.release()
      return .NO
    }
    return queue(native, response, on: connection)
  }

  private static func queue(_ native: OpaquePointer?, _ response: HTTPServer.Response, on connection: OpaquePointer) -> MHD_Result {
    guard let native else { return .NO }
    defer { MHD_destroy_response(native) }
    for header in response.headers {
      // A refused field (a line break in its value, say) must not go out changed: better no answer than another one.
      guard MHD_add_response_header(native, header.name, header.value) == .YES else { return .NO }
    }
    return MHD_queue_response(connection, UInt32(clamping: response.status), native)
  }
}

private final class SourceBox {
  let source: any BodySource
  init(_ source: any BodySource) { self.source = source }
}

private func readSource(_ box: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  guard let box, let buffer else { return Int(tl_mhd_end_with_error()) }
  let source = Unmanaged<SourceBox>.fromOpaque(box).takeUnretainedValue().source
  return source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func freeSource(_ box: UnsafeMutableRawPointer?) {
  guard let box else { return }
  Unmanaged<SourceBox>.fromOpaque(box).release()
}
