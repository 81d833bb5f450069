import JSON
import Messages
import Telemetry

/// A request's event as the API tells it: what the contract names, and nothing that a stranger added.
enum EventView {
  static func write(_ key: StaticString, _ events: [[UInt8]], to writer: inout JSONWriter) {
    writer.member(key, array: { writer in for event in events { if let event = read(event) { write(event, to: &writer) } } })
  }

  static func bytes(_ record: [UInt8]) -> [UInt8]? {
    guard let event = read(record) else { return nil }
    var writer = JSONWriter()
    write(event, to: &writer)
    return writer.bytes
  }

  private static func read(_ record: [UInt8]) -> RequestEvent? {
    guard let document = try? JSONDocument.parse(record) else { return nil }
    return try? RequestEvent(json: document.root)
  }

  private static func write(_ event: RequestEvent, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("requestId", event.requestID)
      writer.member("type", event.kind.rawValue)
      writer.member("stage", event.stage.rawValue)
      writer.member("at", Timestamp.parse(event.at).map { Timestamp.rfc3339($0) })
      writer.member("reference", event.reference)
      writer.member("title", event.title)
      writer.member("channelId", event.channelID)
      writer.member("playlistId", event.playlistID)
      writer.member("pageNumber", event.pageNumber)
      writer.member("records", event.records)
      writer.member("truncatedBy", event.truncatedBy?.rawValue)
      if let error = event.error { ErrorView.write(error.code, error.message, to: &writer) }
    }
  }
}
