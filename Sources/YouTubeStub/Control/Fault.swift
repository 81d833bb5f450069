import HTTPServer
import JSON

/// One entry of the line of faults: which calls it strikes, how often, and what they get.
struct Fault: Equatable, Sendable {
  enum Action: String, Sendable { case reset, truncate, malformed, hang, html }

  /// `method` and query parameters; all must match.
  var match: [String: String] = [:]
  /// How many calls are struck; −1 is all.
  var count = 1
  var status: Int?
  var reason: String?
  var body: String?
  var headers: [HTTPServer.Header] = []
  var action: Action?
  var delay: Duration = .zero

  /// A fault without any other effect than its delay lets the call be answered as usual.
  var onlyDelays: Bool { status == nil && reason == nil && body == nil && action == nil }

  func strikes(_ call: Call) -> Bool {
    match.allSatisfy { name, wanted in
      if name == "method" { return wanted == call.method.name }
      return call.single(name) == wanted || call.list(name)?.contains(wanted) == true
    }
  }
}

extension Fault {
  /// Reads the body of `POST /stub/faults`.
  init(_ tree: JSONTree) throws(ControlError) {
    guard let members = tree.members else { throw ControlError("a fault is a JSON object") }
    for member in members { try set(member.key, member.value) }
    guard !onlyDelays || delay > .zero || !headers.isEmpty else {
      throw ControlError("a fault needs one of status, reason, body, action, delayMs")
    }
  }

  private mutating func set(_ key: String, _ value: JSONTree) throws(ControlError) {
    switch (key, value) {
    case ("match", .object(let members)):
      for member in members {
        guard let text = Self.text(member.value) else { throw ControlError("match.\(member.key) is a string") }
        match[member.key] = text
      }
    case ("count", .int(let number)) where number == -1 || number > 0: count = number
    case ("status", .int(let number)) where (200...599).contains(number): status = number
    case ("reason", .string(let text)): reason = text
    case ("body", .string(let text)): body = text
    case ("body", .object), ("body", .array): body = String(decoding: value.bytes(), as: UTF8.self)
    case ("headers", .object(let members)):
      for member in members {
        guard let text = Self.text(member.value), text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
          throw ControlError("headers.\(member.key) is a string without control characters")
        }
        headers.append(HTTPServer.Header(member.key, text))
      }
    case ("action", .string(let text)):
      guard let known = Action(rawValue: text) else {
        throw ControlError("action is reset, truncate, malformed, hang or html, not \(text)")
      }
      action = known
    case ("delayMs", .int(let number)) where (0...3_600_000).contains(number): delay = .milliseconds(number)
    default: throw ControlError("\(key): unknown, of a wrong type or out of range")
    }
  }

  private static func text(_ value: JSONTree) -> String? {
    switch value {
    case .string(let text): text
    case .int(let number): String(number)
    case .bool(let truth): String(truth)
    default: nil
    }
  }
}

/// The line of faults, first in first out among those that strike a call.
struct FaultLine: Equatable {
  private(set) var faults: [Fault] = []

  mutating func add(_ fault: Fault) { faults.append(fault) }
  mutating func clear() { faults = [] }

  /// The faults that strike: any delays before the first that decides the answer, and that one. Each is used up by one.
  mutating func take(for call: Call) -> [Fault] {
    var taken: [Fault] = []
    for index in faults.indices where faults[index].strikes(call) {
      taken.append(faults[index])
      if faults[index].count > 0 { faults[index].count -= 1 }
      if !faults[index].onlyDelays { break }
    }
    faults.removeAll { $0.count == 0 }
    return taken
  }
}
