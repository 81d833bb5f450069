import CLibrdkafka

/// What identifies a member and its generation, so that a transaction of a zombie is fenced.
final class GroupMetadata: @unchecked Sendable {
  // because rd_kafka_consumer_group_metadata_t is never changed after its creation
  private let pointer: OpaquePointer

  init?(consuming pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { rd_kafka_consumer_group_metadata_destroy(pointer) }

  func withPointer<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R { try body(pointer) }

  /// Generation and name of the member; nil where the library's form is not known. The library has no accessor, only this form for
  /// storage: `CGMDv2:`, the generation in the machine's byte order, the group's name and the member's, each ended by a NUL.
  var identity: (generation: Int32, memberID: String)? {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    guard KafkaError(consuming: rd_kafka_consumer_group_metadata_write(pointer, &bytes, &count)) == nil, let bytes else { return nil }
    defer { rd_kafka_mem_free(nil, bytes) }
    let form = UnsafeRawBufferPointer(start: bytes, count: count)
    let magic = Array("CGMDv2:".utf8)
    let names = magic.count + MemoryLayout<Int32>.size
    guard form.count >= names, form.starts(with: magic) else { return nil }
    let parts = form[names...].split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return (form.loadUnaligned(fromByteOffset: magic.count, as: Int32.self), String(decoding: parts[1], as: UTF8.self))
  }
}
