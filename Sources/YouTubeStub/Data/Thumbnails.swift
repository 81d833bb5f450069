/// The pictures of generated videos and channels.
enum Thumbnails {
  private static let sizes: [(key: StaticString, file: String, width: Int, height: Int)] = [
    ("default", "default", 120, 90), ("medium", "mqdefault", 320, 180), ("high", "hqdefault", 480, 360),
    ("standard", "sddefault", 640, 480), ("maxres", "maxresdefault", 1280, 720), ("fhd", "fhddefault", 1920, 1080),
    ("qhd", "qhddefault", 2560, 1440), ("uhd", "uhddefault", 3840, 2160),
  ]

  /// How many of the sizes a video has: mostly five, sometimes fewer, none, or the new large ones.
  static func count(_ serial: Int) -> Int {
    switch serial % 17 {
    case 2: 4
    case 5: 8
    case 9: 3
    case 11: 6
    case 13: serial % 3 == 0 ? 0 : 1
    default: 5
    }
  }

  static func write(video id: String, count: Int, into emitter: inout Emitter) {
    emitter.object("thumbnails") { emitter in
      for size in sizes.prefix(count) {
        emitter.object(size.key) { emitter in
          emitter.member("url", "https://i.ytimg.com/vi/\(id)/\(size.file).jpg")
          emitter.member("width", size.width)
          emitter.member("height", size.height)
        }
      }
    }
  }

  /// `withSize` false as in search results.
  static func write(channel id: String, isPresent: Bool, withSize: Bool = true, into emitter: inout Emitter) {
    emitter.object("thumbnails") { emitter in
      let sides: [(key: StaticString, side: Int)] = isPresent ? [("default", 88), ("medium", 240), ("high", 800)] : []
      for (key, side) in sides {
        emitter.object(key) { emitter in
          emitter.member("url", "https://yt3.ggpht.com/\(id.dropFirst(2))=s\(side)-c-k-c0x00ffffff-no-rj")
          emitter.member("width", withSize ? side : nil)
          emitter.member("height", withSize ? side : nil)
        }
      }
    }
  }
}
