import CZlib

/// gzip by zlib, at its fastest level: the stub carries load tests.
enum Gzip {
  /// `nil` when zlib refuses, which only lack of memory brings about.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 for the gzip header.
    let version = zlibVersion()
    guard deflateInit2_(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    var finished = false
    let result = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(bound)
        finished = deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = bound - Int(stream.avail_out)
    }
    return finished ? result : nil
  }
}
