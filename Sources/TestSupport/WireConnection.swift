import Dispatch
import Glibc

/// One TCP connection to a server on this host, for tests that look at HTTP on the wire.
///
/// Reading waits at most 30 s; a connection is used by one task at a time.
public final class WireConnection: @unchecked Sendable {
  // because the descriptor never changes, and `buffer` is touched on `queue` only
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private let queue = DispatchQueue(label: "tubeline.test.wire-connection")

  public struct Failure: Error {
    public let code: Int32
  }

  /// What came back to one request.
  public struct Answer: Sendable {
    public var status: Int
    /// Names in lower case.
    public var headers: [String: String]
    public var body: [UInt8]
    /// False when the connection ended before the announced length.
    public var isComplete: Bool

    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  public init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard result == 0 else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// Sends text as it is.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a request with the fields it needs, and reads the answer.
  public func request(
    _ method: String = "GET", _ target: String, headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> Answer {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    try send(Array((text + "\r\n").utf8) + body)
    return try await answer(hasBody: method != "HEAD")
  }

  /// Reads one answer; throws errno's value when the connection breaks before its header is there (0: it was closed).
  public func answer(hasBody: Bool = true) async throws -> Answer { try await perform { try self.readAnswer(hasBody: hasBody) } }

  /// Reads until the peer closes; throws when it resets.
  public func remainder() async throws -> [UInt8] {
    try await perform {
      while try self.fill() {}
      defer { self.buffer = [] }
      return self.buffer
    }
  }

  private func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  private func fill() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Failure(code: errno) }
    buffer.append(contentsOf: bytes.prefix(count))
    return count > 0
  }

  private func readAnswer(hasBody: Bool) throws -> Answer {
    let end = Array("\r\n\r\n".utf8)
    while buffer.firstRange(of: end) == nil { if try !fill() { throw Failure(code: 0) } }
    guard let border = buffer.firstRange(of: end) else { throw Failure(code: 0) }
    let lines = String(decoding: buffer[..<border.lowerBound], as: UTF8.self).split(separator: "\r\n")
    buffer.removeSubrange(..<border.upperBound)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
    var answer = Answer(status: status, headers: headers, body: [], isComplete: true)
    guard hasBody, status != 204, status != 304 else { return answer }
    if headers["transfer-encoding"] == "chunked" { return try readChunks(answer) }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < length { if try !fill() { break } }
    answer.isComplete = buffer.count >= length
    answer.body = Array(buffer.prefix(length))
    buffer.removeFirst(min(length, buffer.count))
    return answer
  }

  private func readChunks(_ start: Answer) throws -> Answer {
    var answer = start
    let lineEnd = Array("\r\n".utf8)
    while true {
      while buffer.firstRange(of: lineEnd) == nil { if try !fill() { return incomplete(answer) } }
      guard let border = buffer.firstRange(of: lineEnd) else { return incomplete(answer) }
      let size = Int(String(decoding: buffer[..<border.lowerBound], as: UTF8.self), radix: 16) ?? 0
      buffer.removeSubrange(..<border.upperBound)
      while buffer.count < size + 2 { if try !fill() { return incomplete(answer) } }
      answer.body += buffer[..<size]
      buffer.removeFirst(size + 2)
      if size == 0 { return answer }
    }
  }

  private func incomplete(_ answer: Answer) -> Answer {
    var answer = answer
    answer.isComplete = false
    return answer
  }
}
