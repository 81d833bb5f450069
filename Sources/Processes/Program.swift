import CProcess
import Glibc

/// What to start, and with what: the child has these arguments, this environment and these descriptors, and nothing else of its parent.
public struct Program: Sendable {
  /// A path, or a name that is looked up in the directories of this process's PATH.
  public var name: String
  public var arguments: [String]
  public var environment: [String: String]
  /// Whether standard output is read; it is /dev/null otherwise.
  public var readsOutput: Bool
  /// A descriptor of this process to be its standard input; nil is /dev/null.
  public var input: Int32?
  /// The process group to join; 0 makes a new one, so that Ctrl-C reaches the parent alone.
  public var group: Int32

  public init(
    _ name: String, _ arguments: [String] = [], environment: [String: String], readsOutput: Bool = true, input: Int32? = nil,
    group: Int32 = 0
  ) {
    self.name = name
    self.arguments = arguments
    self.environment = environment
    self.readsOutput = readsOutput
    self.input = input
    self.group = group
  }

  /// The path of a program: itself when it has a slash, else the first in the directories of PATH, nil when there is none.
  public static func path(of program: String) -> String? {
    guard !program.contains("/") else { return program }
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return search.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  func fork(output: Int32?, error: Int32, signalAtEnd: Int32) throws -> Int32 {
    guard let path = Self.path(of: name) else { throw ProcessError("\(name) cannot be started: it is in no directory of PATH") }
    let streams = process_streams(input: input ?? -1, output: output ?? -1, error: error)
    var failure: Int32 = 0
    let id = withCStrings([path] + arguments) { arguments in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        process_start(path, arguments, environment, streams, group, signalAtEnd, &failure)
      }
    }
    guard id > 0, failure == 0 else {
      if id > 0 { waitpid(id, nil, 0) }
      throw ProcessError("\(path) cannot be started: \(String(cString: strerror(failure)))")
    }
    return id
  }
}

/// Why a program could not be started.
public struct ProcessError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
