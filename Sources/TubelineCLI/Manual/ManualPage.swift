import Telemetry

/// Text of a manual page in the man(7) macros, escaped as it is written.
struct ManualPage: Sendable {
  let name: String
  private(set) var text: String
  /// A heading stands right above, behind which no paragraph has to be begun.
  private var isBelowHeading = false

  /// - Parameter name: the program's: the page is `<name>.1`.
  init(_ name: String, summary: String) {
    self.name = name
    text = ".TH \(name.uppercased()) 1 \(BuildInformation.date) \"Tubeline \(BuildInformation.version)\" \"User Commands\"\n"
    // What is shown is copied: no hyphens that are not in the text, of which `tube-line` would be one.
    text += ".nh\n"
    section("Name")
    // The dash between is what whatis(1) looks for.
    text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
  }

  var fileName: String { "\(name).1" }

  mutating func section(_ title: String) { head(".SH \(Self.quoted(title.uppercased()))") }
  mutating func subsection(_ title: String) { head(".SS \(Self.quoted(title))") }
  mutating func paragraph(_ words: String) {
    beginParagraph()
    text += "\(Self.line(words))\n"
  }

  private mutating func head(_ line: String) {
    text += line + "\n"
    isBelowHeading = true
  }

  private mutating func beginParagraph() {
    if !isBelowHeading { text += ".PP\n" }
    isBelowHeading = false
  }

  mutating func synopsis(_ program: String, _ rest: String) {
    text += "\\fB\(Self.escaped(program))\\fR" + (rest.isEmpty ? "" : " \(Self.escaped(rest))") + "\n"
  }

  /// A term and what it means, set apart.
  mutating func term(_ term: String, _ argument: String? = nil, meaning: String) {
    isBelowHeading = false
    text += ".TP\n\\fB\(Self.escaped(term))\\fR" + (argument.map { " \\fI\(Self.escaped($0))\\fR" } ?? "") + "\n\(Self.line(meaning))\n"
  }

  /// A command line as it is typed, and what it does.
  mutating func example(_ line: String, meaning: String) {
    paragraph(meaning)
    text += ".PP\n.RS 4\n.nf\n\(Self.line(line))\n.fi\n.RE\n"
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }

  /// A line of text; one that begins like a request of roff is none.
  private static func line(_ text: String) -> String {
    let line = escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    return line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&\(line)" : line
  }

  // roff makes typography of these, which nobody could copy into a terminal.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
