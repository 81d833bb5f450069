import FoundationEssentials
import Glibc
import Synchronization

/// How a log line looks: JSON for machines, text for terminals.
public enum LogFormat: String, Sendable, CaseIterable {
  case json, text

  public func line(_ entry: LogEntry) -> String {
    switch self {
    case .json: jsonLine(entry)
    case .text: textLine(entry)
    }
  }

  private func jsonLine(_ entry: LogEntry) -> String {
    var line = "{\"time\":\"\(Timestamp.rfc3339(entry.time))\",\"level\":\"\(entry.level.rawValue)\",\"logger\":\(quoted(entry.label)),"
    line += "\"message\":\(quoted(entry.message))"
    for (key, value) in entry.metadata {
      line += ",\(quoted(key)):"
      switch value {
      case .string(let text): line += quoted(text)
      case .int(let number): line += String(number)
      case .double(let number): line += number.isFinite ? String(number) : "null"
      case .bool(let truth): line += truth ? "true" : "false"
      }
    }
    return line + "}\n"
  }

  private func textLine(_ entry: LogEntry) -> String {
    var line = "\(Timestamp.rfc3339(entry.time)) \(entry.level.rawValue.uppercased()) \(entry.label): \(entry.message)"
    for (key, value) in entry.metadata {
      switch value {
      case .string(let text):
        line += " \(printable(key))=\(text.contains(where: { $0 == " " || $0 == "\"" }) ? quoted(text) : printable(text))"
      case .int(let number): line += " \(printable(key))=\(number)"
      case .double(let number): line += " \(printable(key))=\(number)"
      case .bool(let truth): line += " \(printable(key))=\(truth)"
      }
    }
    return line + "\n"
  }

  // What comes from outside may hold line breaks and escape sequences: neither may reach a log or a terminal as they are.
  private func printable(_ text: String) -> String { String(quoted(text).dropFirst().dropLast()) }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case let scalar where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Logger {
  /// A logger on standard error, one line an entry; lines of several threads do not mix.
  public static func standardError(label: String, level: LogLevel, format: LogFormat) -> Logger {
    let output = LineOutput(descriptor: 2)
    return Logger(label: label, level: level) { output.write(format.line($0)) }
  }
}

/// Whole lines to a file descriptor.
final class LineOutput: Sendable {
  private let descriptor: Mutex<Int32>

  init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  func write(_ line: String) {
    descriptor.withLock { descriptor in
      var line = line
      line.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
          let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
          if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) } else if errno != EINTR { return }
        }
      }
    }
  }
}
