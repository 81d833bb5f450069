/// Deterministic numbers: a 64-bit permutation with its inverse (SplitMix64's finalizer), and what is derived from it.
enum Scramble {
  static func mix(_ value: UInt64) -> UInt64 {
    var x = value
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    return x ^ (x >> 31)
  }

  static func unmix(_ value: UInt64) -> UInt64 {
    var x = value
    x = (x ^ (x >> 31) ^ (x >> 62)) &* 0x3196_42b2_d24d_8ec3
    x = (x ^ (x >> 27) ^ (x >> 54)) &* 0x96de_1b17_3f11_9089
    return x ^ (x >> 30) ^ (x >> 60)
  }

  static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 { mix(mix(first &+ 0x9e37_79b9_7f4a_7c15) ^ second) }

  /// A hash of any bytes, eight at a time: it need not withstand an attacker, but 100 kB must cost microseconds.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15 ^ UInt64(bytes.count)
    let words = bytes.count / 8
    for index in 0..<words {
      state = (state ^ bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) &* 0xff51_afd7_ed55_8ccd
      state ^= state >> 32
    }
    for byte in bytes[(words * 8)...] { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return mix(state)
  }

  static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }

  /// An etag of today's form: 20 bytes as 27 characters.
  static func etag(_ hash: UInt64) -> String {
    var bytes: [UInt8] = []
    for round in 0..<3 as Range<UInt64> { withUnsafeBytes(of: mix(hash, round).bigEndian) { bytes.append(contentsOf: $0) } }
    return Base64URL.encode(bytes.prefix(20))
  }
}
