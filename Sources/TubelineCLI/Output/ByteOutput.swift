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
    /// Where in the buffer each `write` ends.
    var ends: [Int] = []
    /// Writes of which nothing, or not all, reached the output.
    var lostWrites = 0
    var failure: OutputError?
    var isOpen = true
  }

  private static let capacity = 64 * 1024
  private let state: Mutex<State>
  let isTerminal: Bool

  init(descriptor: Int32) {
    state = Mutex(State(descriptor: descriptor))
    isTerminal = isatty(descriptor) == 1
  }

  /// Creates or empties a file; one whose old content is kept is overwritten from its start, and to be emptied before.
  convenience init(path: String, keepsContent: Bool = false) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (keepsContent ? 0 : O_TRUNC), 0o644)
    guard descriptor >= 0 else { throw .failed("\(path): \(String(cString: strerror(errno)))") }
    self.init(descriptor: descriptor)
  }

  /// Of a regular file; other outputs keep nothing.
  func empty() throws(OutputError) {
    let code = state.withLock { ftruncate($0.descriptor, 0) == 0 || errno == EINVAL ? 0 : errno }
    if code != 0 { throw .failed(String(cString: strerror(code))) }
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

  /// How many of the last writes are not in the output, after an error. Of a regular file none of them is there in part.
  var lostWrites: Int { state.withLock { $0.lostWrites } }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    let result = state.withLock { state -> Result<Void, OutputError> in
      if let failure = state.failure {
        state.lostWrites += 1
        return .failure(failure)
      }
      state.buffer += bytes
      state.ends.append(state.buffer.count)
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
    if let failure = state.failure { return .failure(failure) }
    let (written, failure) = state.buffer.withUnsafeBytes { write($0, to: state.descriptor) }
    if let failure {
      let whole = state.ends.last { $0 <= written } ?? 0
      state.lostWrites += state.ends.count { $0 > written }
      state.failure = failure
      cut(written - whole, from: state.descriptor)
    }
    state.buffer.removeAll(keepingCapacity: true)
    state.ends.removeAll(keepingCapacity: true)
    return failure.map { .failure($0) } ?? .success(())
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> (written: Int, failure: OutputError?) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, 1000)
      } else if errno != EINTR {
        let failure: OutputError = errno == EPIPE ? .closed : errno == EBADF ? .notOpen : .failed(String(cString: strerror(errno)))
        return (bytes.count - rest.count, failure)
      }
    }
    return (bytes.count, nil)
  }

  // Half a record at the end of a file would be read as a broken one.
  private static func cut(_ count: Int, from descriptor: Int32) {
    var status = stat()
    guard count > 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let end = lseek(descriptor, 0, SEEK_CUR)
    guard end >= off_t(count), ftruncate(descriptor, end - off_t(count)) == 0 else { return }
    lseek(descriptor, end - off_t(count), SEEK_SET)
  }
}
