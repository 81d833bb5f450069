import Glibc

/// Text for people and programs on the standard streams, written whole and at once.
public enum Console {
  public enum Stream: Int32, Sendable {
    case output = 1
    case error = 2

    public var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Columns of the terminal; nil when the stream is none or does not tell.
    public var columns: Int? { size.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Rows of the terminal; nil when the stream is none or does not tell.
    public var rows: Int? { size.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

    private var size: winsize? {
      var size = winsize()
      return ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }
  }

  private static let outputLines = LineOutput(descriptor: Stream.output.rawValue)
  private static let errorLines = LineOutput(descriptor: Stream.error.rawValue)

  /// Takes the numbers of standard streams that the program was started without (`>&-`), so that no socket or file gets one of them and
  /// is written into. Has to be the first thing that a program does. Reading and writing there fail, as if the stream were closed still.
  public static func reserveStreams() {
    let refusing = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    for (descriptor, mode) in refusing where fcntl(descriptor, F_GETFD) < 0 {
      // It gets the lowest free number: this one, since those below are taken.
      _ = open("/dev/null", mode)
    }
  }

  public static func write(_ text: String, to stream: Stream = .output) {
    switch stream {
    case .output: outputLines.write(text)
    case .error: errorLines.write(text)
    }
  }
}
