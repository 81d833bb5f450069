import Dispatch
import FoundationEssentials
import Glibc

/// Collects the names that a command line gives: operands, `-` for standard input, and `--from FILE`.
enum NameInput {
  private static let largest = 64 << 20

  static func names(_ arguments: ParsedArguments) async throws -> [GivenName] {
    var names: [GivenName] = []
    for operand in arguments.operands {
      if operand == "-" { names += try await read(nil) } else { names.append(GivenName(text: operand, place: nil)) }
    }
    if let path = arguments.values["--from"] { names += try await read(path == "-" ? nil : path) }
    guard !names.isEmpty else {
      guard arguments.operands.isEmpty && arguments.values["--from"] == nil else { throw CommandError("No name was given.") }
      throw UsageError("Give at least one channel, video or playlist, or - to read names from standard input.")
    }
    return names
  }

  private static func read(_ path: String?) async throws -> [GivenName] {
    let source = path ?? "standard input"
    let bytes = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "tubeline.input").async { continuation.resume(with: Result { try contents(path) }) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw CommandError("\(source) holds no UTF-8 text.") }
    return ReferenceList.names(in: text, of: source)
  }

  private static func contents(_ path: String?) throws -> [UInt8] {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    let source = path ?? "standard input"
    guard descriptor >= 0 else { throw CommandError("\(source): \(String(cString: strerror(errno)))") }
    defer { if path != nil { close(descriptor) } }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return result }
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandError("\(source): \(String(cString: strerror(errno)))")
      }
      result += buffer.prefix(count)
      guard result.count <= largest else { throw CommandError("\(source) is larger than 64 MB.") }
    }
  }
}
