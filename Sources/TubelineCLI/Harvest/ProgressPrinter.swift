import Telemetry

/// Shows progress on standard error: redrawn in a terminal, a line now and then elsewhere.
struct ProgressPrinter {
  private let messages: MessageOutput
  private let isLive: Bool
  private let isColoured: Bool
  private let clock = ContinuousClock()
  private var drawn = 0
  private var last: ContinuousClock.Instant?

  private static let liveInterval = Duration.milliseconds(250)
  private static let lineInterval = Duration.seconds(10)

  init(messages: MessageOutput, isLive: Bool, isColoured: Bool) {
    self.messages = messages
    self.isLive = isLive
    self.isColoured = isColoured
    // The first line comes after an interval, not at once.
    last = isLive ? nil : clock.now
  }

  var isDue: Bool {
    guard let last else { return true }
    return clock.now - last >= (isLive ? Self.liveInterval : Self.lineInterval)
  }

  mutating func show(_ view: ProgressView) {
    last = clock.now
    guard isLive else { return messages.line(view.sentence) }
    let columns = Console.Stream.error.columns ?? 80
    let lines = view.lines(columns: columns, rows: Console.Stream.error.rows ?? 24, isColoured: isColoured)
    messages.raw(eraser + lines.joined(separator: "\n") + "\n")
    drawn = lines.count
  }

  /// A message that stays, above the live view.
  mutating func message(_ text: String) {
    guard isLive else { return messages.line(text) }
    messages.raw(eraser + text + "\n")
    drawn = 0
    // Redrawn with the next look.
    last = nil
  }

  /// The last view stays where it is.
  mutating func finish(_ view: ProgressView) {
    if isLive { show(view) }
    drawn = 0
  }

  private var eraser: String { drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J" }
}
