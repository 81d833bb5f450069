import Foundation
import JSON
import Messages

/// Everything that was published, for whoever checks it outside of this process: Tests/contract/check.py.
extension World {
  private static let path = ProcessInfo.processInfo.environment["CONTRACT_DUMP"]

  /// Appends the world's messages to the file CONTRACT_DUMP, if it is set.
  func dump() async throws {
    guard let path = Self.path else { return }
    try await log.caughtUp()
    var lines = Self.topics().bytes() + [UInt8(ascii: "\n")]
    for plan in Topic.all {
      for message in messages(plan.topic) { lines += Self.line(message, plan.topic).bytes() + [UInt8(ascii: "\n")] }
    }
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(lines))
    try file.close()
  }

  private static func topics() -> JSONTree {
    let members = Topic.all.map { plan in
      JSONTree.Member(plan.topic.name, .object(plan.configuration.map { JSONTree.Member($0.key, .string($0.value)) }))
    }
    return .object([JSONTree.Member("topics", .object(members))])
  }

  private static func line(_ message: SeenMessage, _ topic: Topic) -> JSONTree {
    let record = message.record
    let headers = record.headers.map { JSONTree.array([.string($0.name), encoded($0.value)]) }
    return .object([
      JSONTree.Member("topic", .string(topic.name)), JSONTree.Member("partition", .int(Int(record.partition))),
      JSONTree.Member("offset", .int(Int(record.offset))), JSONTree.Member("key", encoded(record.key)),
      JSONTree.Member("value", encoded(record.value)), JSONTree.Member("headers", .array(headers)),
    ])
  }

  private static func encoded(_ bytes: [UInt8]?) -> JSONTree { bytes.map { .string(Data($0).base64EncodedString()) } ?? .null }
}
