import Glibc
import Synchronization

/// Why bytes could not be written.
enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has gone, as in `tubeline videos | head`.
  case closed
  case failed(String)

  var description: String {
    switch self {
    case .closed: "the output's reader has closed it"
    case .failed(let reason): "the output cannot be written: \(reason)"
    }
  }

  /// Such as standard output after `>&-`.
  static let notOpen = OutputError.failed("standard output is not open for writing; send it to a file, to a program, or to /dev/null")
}

/// A file descriptor with a buffer, for results; SIGPIPE is ignored, so a reader that left is an error here.
final class ByteOutput: Sendable {
  private struct State {
    var descriptor: Int32
    var buffer: [UInt8] = []
    var isOpen = true
  }

  private static let capacity = 64 * 1024
  private let state: Mutex<State>
  let isTerminal: Bool

  init(descriptor: Int32) {
    state = Mutex(State(descriptor: descriptor))
    isTerminal = isatty(descriptor) == 1
  }

  /// Creates or empties a file.
  convenience init(path: String, appending: Bool = false) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC), 0o644)
    guard descriptor >= 0 else { throw .failed("\(path): \(String(cString: strerror(errno)))") }
    self.init(descriptor: descriptor)
  }

  /// Bytes of a regular file that has some: what would be lost by writing to its path.
  static func existingBytes(path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    return Int(status.st_size)
  }

  /// Throws when nothing can ever be written: to be asked before something is done whose result would be lost.
  func requireOpen() throws(OutputError) {
    let mode = state.withLock { fcntl($0.descriptor, F_GETFL) }
    guard mode >= 0, mode & O_ACCMODE != O_RDONLY else { throw .notOpen }
  }

  func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    let result = state.withLock { state -> Result<Void, OutputError> in
      state.buffer += bytes
      return state.buffer.count >= Self.capacity ? Self.flush(&state) : .success(())
    }
    try result.get()
  }

  func flush() throws(OutputError) {
    try state.withLock { Self.flush(&$0) }.get()
  }

  /// Writes what is left and closes the descriptor, unless it is a standard stream.
  func close() throws(OutputError) {
    let result = state.withLock { state -> Result<Void, OutputError> in
      guard state.isOpen else { return .success(()) }
      let flushed = Self.flush(&state)
      state.isOpen = false
      guard state.descriptor > 2 else { return flushed }
      let code = Glibc.close(state.descriptor)
      if case .success = flushed, code != 0 { return .failure(.failed(String(cString: strerror(errno)))) }
      return flushed
    }
    try result.get()
  }

  private static func flush(_ state: inout State) -> Result<Void, OutputError> {
    defer { state.buffer.removeAll(keepingCapacity: true) }
    return state.buffer.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(state.descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EPIPE {
          return .failure(.closed)
        } else if errno == EBADF {
          return .failure(.notOpen)
        } else if errno == EAGAIN {
          var wait = pollfd(fd: state.descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&wait, 1, 1000)
        } else if errno != EINTR {
          return .failure(.failed(String(cString: strerror(errno))))
        }
      }
      return .success(())
    }
  }
}
