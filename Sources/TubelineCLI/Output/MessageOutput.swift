import Telemetry

/// Lines for people, on standard error.
struct MessageOutput: Sendable {
  let isTerminal: Bool
  private let sink: @Sendable (String) -> Void

  init(isTerminal: Bool, sink: @escaping @Sendable (String) -> Void) {
    self.isTerminal = isTerminal
    self.sink = sink
  }

  static let standardError = MessageOutput(isTerminal: Console.Stream.error.isTerminal) { Console.write($0, to: .error) }

  /// Writes a line; text from outside has to be made visible first (`VisibleText`).
  func line(_ text: String) { sink(text + "\n") }

  /// Writes as it is: for redrawing.
  func raw(_ text: String) { sink(text) }
}
