import Glibc

/// Text for people and programs on the standard streams, written whole and at once.
public enum Console {
  public enum Stream: Int32, Sendable {
    case output = 1
    case error = 2

    public var isTerminal: Bool { isatty(rawValue) == 1 }
  }

  private static let outputLines = LineOutput(descriptor: Stream.output.rawValue)
  private static let errorLines = LineOutput(descriptor: Stream.error.rawValue)

  public static func write(_ text: String, to stream: Stream = .output) {
    switch stream {
    case .output: outputLines.write(text)
    case .error: errorLines.write(text)
    }
  }
}
