/// A place in a list: `CDIQAA` is the page from item 50 on, `CDIQAQ` the page that ends before item 50.
///
/// The bytes are a protocol buffer: 0x08, the offset as a varint, 0x10, and 1 for a way back.
struct PageToken: Equatable, Sendable {
  var offset: Int
  var isBackwards = false

  var text: String {
    var bytes: [UInt8] = [0x08]
    var rest = offset
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest & 0x7f | 0x80))
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
    return Base64URL.encode(bytes + [0x10, isBackwards ? 1 : 0])
  }

  init(offset: Int, isBackwards: Bool = false) {
    self.offset = offset
    self.isBackwards = isBackwards
  }

  /// `nil` for anything that `text` would not have written.
  init?(_ text: String) {
    guard text.utf8.count <= 12, let bytes = Base64URL.decode(text), bytes.count >= 4, bytes.first == 0x08 else { return nil }
    offset = 0
    for (index, byte) in bytes[1..<(bytes.count - 2)].enumerated() { offset |= Int(byte & 0x7f) << (7 * index) }
    isBackwards = bytes[bytes.count - 1] == 1
    guard self.text == text else { return nil }
  }
}

/// The part of a list that one answer shows, and the tokens of its neighbours.
struct Page: Equatable, Sendable {
  var range: Range<Int>
  var next: String?
  var previous: String?

  init(token: PageToken?, size: Int, total: Int) {
    var start = token?.offset ?? 0
    var end = start + size
    if let token, token.isBackwards {
      end = token.offset
      start = end - size
    }
    start = min(max(0, start), total)
    end = min(max(start, end), total)
    range = start..<end
    next = end < total && size > 0 ? PageToken(offset: end).text : nil
    previous = start > 0 && size > 0 ? PageToken(offset: start, isBackwards: true).text : nil
  }
}
