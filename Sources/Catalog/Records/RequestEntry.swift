import FoundationEssentials
import JSON
import Messages
import Telemetry

/// A request as its own message tells it.
struct RequestEntry: Sendable {
  enum Kind: String, Sendable { case channel, search }

  let id: String
  let kind: Kind
  var reference: String?
  var maxVideos: Int?
  /// The list is read to a date or to its known part only: nobody knows how far that is.
  var endsEarly = false
  /// Milliseconds since 1970.
  var begun: Int?

  /// What a reference is shortened to: lists show it.
  static let longestReference = 500
}

/// An event of request-events with what the store needs of it.
struct EventEntry: Sendable {
  let event: RequestEvent
  /// Milliseconds since 1970.
  let at: Int
  /// Of a search's results, the channels: their places among all.
  var channels: [(id: String, position: Int)] = []
  let record: [UInt8]

  private static let mostResults = 1000

  init(_ value: [UInt8], timestamp: Int64?) throws(UnreadableRecord) {
    let root = try RecordJSON.object(value)
    do throws(PayloadError) { event = try RequestEvent(json: root) } catch { throw UnreadableRecord(error.message) }
    guard event.requestID.utf8.count <= RequestIDText.limit else { throw UnreadableRecord("\"requestId\" is too long") }
    at = try RecordJSON.time("at", of: root, sent: timestamp)
    for result in (root["results"]?.elements ?? JSONElements.none(of: root)).prefix(Self.mostResults) {
      guard let id = result["channelId"]?.string, !id.isEmpty, id.utf8.count <= VideoEntry.longestID, let place = result["position"]?.count
      else { continue }
      channels.append((id, place))
    }
    record = value
  }
}

extension JSONElements {
  // An object has no elements.
  fileprivate static func none(of value: JSONValue) -> JSONElements { value.elements }
}
