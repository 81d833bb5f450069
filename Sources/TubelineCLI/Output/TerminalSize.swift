import Glibc

/// How wide a terminal is.
enum TerminalSize {
  /// nil when the stream is no terminal or does not tell.
  static func columns(descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  static func rows(descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
    return Int(size.ws_row)
  }

  static func columns(of output: ByteOutput) -> Int? { output.isTerminal ? columns(descriptor: 1) : nil }
}
