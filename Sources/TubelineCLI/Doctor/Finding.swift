import Telemetry

/// The result of one check.
struct Finding: Sendable, Equatable {
  let check: String
  /// nil: could not be told, which is no problem by itself.
  let isGood: Bool?
  let detail: String
  /// What to do about a problem, or a warning.
  var remedy: String?

  static func ok(_ check: String, _ detail: String) -> Finding { Finding(check: check, isGood: true, detail: detail) }

  static func problem(_ check: String, _ detail: String, mend remedy: String) -> Finding {
    Finding(check: check, isGood: false, detail: detail, remedy: remedy)
  }

  /// No problem by itself, but worth mending.
  static func warning(_ check: String, _ detail: String, mend remedy: String) -> Finding {
    Finding(check: check, isGood: nil, detail: detail, remedy: remedy)
  }

  static func unknown(_ check: String, _ detail: String) -> Finding { Finding(check: check, isGood: nil, detail: detail) }

  private static let column = 23
  /// Below it, details stand under the check.
  private static let narrow = 60

  /// What is shown of it.
  ///
  /// - Parameter width: columns of the terminal, in which words are not broken; `nil` is one line for the detail and one for the remedy.
  func text(width: Int?) -> String {
    let mark = isGood.map { $0 ? "ok     " : "PROBLEM" } ?? "–      "
    let head = "\(mark)  \(TextWidth.padded(check, to: 12))  "
    let parts = [VisibleText.of(detail)] + (remedy.map { ["mend: \(VisibleText.of($0))"] } ?? [])
    let column = (width ?? .max) < Self.narrow ? 9 : Self.column
    var lines = parts.flatMap { part in
      guard let width else { return [part] }
      // Behind the first line hangs the rest.
      let wrapped = HelpText.wrapped(part, to: max(16, width - column - 2))
      return wrapped.enumerated().map { ($0 == 0 ? "" : "  ") + $1 }
    }
    let blanks = String(repeating: " ", count: column)
    let first = column == Self.column ? head + lines.removeFirst() : head.trimmingBlanksAtEnd
    return ([first] + lines.map { blanks + $0 }).map { $0 + "\n" }.joined()
  }
}

extension String {
  fileprivate var trimmingBlanksAtEnd: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }
}
