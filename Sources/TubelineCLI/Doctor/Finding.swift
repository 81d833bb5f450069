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

  var line: String {
    let mark = isGood.map { $0 ? "ok     " : "PROBLEM" } ?? "–      "
    let text = "\(mark)  \(TextWidth.padded(check, to: 12))  \(VisibleText.of(detail))\n"
    return remedy.map { text + "                       mend: \(VisibleText.of($0))\n" } ?? text
  }
}
