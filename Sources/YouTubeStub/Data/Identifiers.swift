/// Ids of generated things: they look like YouTube's, and the number in them can be read back, so no table is kept.
struct Identifiers: Sendable {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = Scramble.mix(seed, 0x7475_6265) }

  // 44 bits of payload and 20 bits that must come out as this, so that a made-up id is not taken for a generated one.
  private enum Mark: UInt64 {
    case video = 0x5_1d0a
    case channel = 0x6_2c1b
    case playlist = 0x7_3b2c
    case item = 0x8_4a3d
  }

  private func seal(_ payload: UInt64, _ mark: Mark) -> UInt64 { Scramble.mix((payload | mark.rawValue << 44) ^ seed) }

  private func open(_ word: UInt64, _ mark: Mark) -> UInt64? {
    let plain = Scramble.unmix(word) ^ seed
    return plain >> 44 == mark.rawValue ? plain & 0xfff_ffff_ffff : nil
  }

  // MARK: Videos: 11 characters, serial numbers below 2²⁴, channel ordinals below 2²⁰

  func video(channel: Int, serial: Int) -> String { Base64URL.encode(seal(UInt64(channel) << 24 | UInt64(serial), .video)) }

  func video(_ id: some StringProtocol) -> (channel: Int, serial: Int)? {
    guard id.utf8.count == 11, let bytes = Base64URL.decode(id), let payload = open(Base64URL.word(bytes), .video) else { return nil }
    return (Int(payload >> 24), Int(payload & 0xff_ffff))
  }

  // MARK: Channels: UC and 22 characters

  func channel(_ ordinal: Int) -> String {
    let word = seal(UInt64(ordinal), .channel)
    return "UC" + Base64URL.encode(Self.bytes(word) + Self.bytes(Scramble.mix(word, seed)))
  }

  func channel(_ id: String) -> Int? {
    guard id.utf8.count == 24, id.hasPrefix("UC"), let bytes = Base64URL.decode(id.dropFirst(2)),
      let ordinal = open(Base64URL.word(bytes), .channel)
    else { return nil }
    return channel(Int(ordinal)) == id ? Int(ordinal) : nil
  }

  // MARK: Playlists: PL and 32 characters

  func playlist(channel: Int, number: Int) -> String {
    let word = seal(UInt64(channel) << 8 | UInt64(number), .playlist)
    let tail = Self.bytes(Scramble.mix(word, seed)) + Self.bytes(Scramble.mix(word, ~seed))
    return "PL" + Base64URL.encode(Self.bytes(word) + tail)
  }

  func playlist(_ id: String) -> (channel: Int, number: Int)? {
    guard id.utf8.count == 34, id.hasPrefix("PL"), let bytes = Base64URL.decode(id.dropFirst(2)),
      let payload = open(Base64URL.word(bytes), .playlist)
    else { return nil }
    let (channel, number) = (Int(payload >> 8), Int(payload & 255))
    return playlist(channel: channel, number: number) == id ? (channel, number) : nil
  }

  // MARK: Playlist items: the playlist's id, a dot and the item's own name, in Base64

  func item(playlist: String, name: String) -> String { Base64URL.encode("\(playlist).\(name)".utf8) }

  func item(_ id: String) -> (playlist: String, name: String)? {
    guard let bytes = Base64URL.decode(id), let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return (String(decoding: bytes[..<dot], as: UTF8.self), String(decoding: bytes[(dot + 1)...], as: UTF8.self))
  }

  /// The name of a place in an ordinary playlist: 16 hexadecimal digits.
  func place(_ position: Int) -> String {
    let text = String(seal(UInt64(position), .item), radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  func place(_ name: String) -> Int? {
    guard name.utf8.count == 16, let word = UInt64(name, radix: 16), let position = open(word, .item) else { return nil }
    return Int(position)
  }

  private static func bytes(_ word: UInt64) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }
}
