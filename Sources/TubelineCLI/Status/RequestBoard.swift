import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry

/// Every request that the topics channel-requests and request-events still know.
struct RequestBoard: Sendable {
  private(set) var requests: [String: RequestStatus] = [:]
  /// Events that cannot be read.
  private(set) var unreadable = 0

  subscript(_ id: String) -> RequestStatus? { requests[id] }

  /// A message of channel-requests; an unusable one is a request, too, until its event says so.
  mutating func note(request record: ConsumedRecord) {
    let request = try? ChannelRequest(value: record.value)
    let origin = ReceivedMessage(record).origin
    let id = request.map { $0.requestID ?? origin } ?? ChannelRequest.requestID(inUnusable: record.value) ?? origin
    let time = record.timestamp.map { Timestamp.rfc3339(Date(timeIntervalSince1970: Double($0) / 1000)) }
    if let request {
      requests[id, default: RequestStatus(id: id)].note(request: request, at: time)
    } else {
      requests[id, default: RequestStatus(id: id)].note(time: time)
    }
  }

  /// A message of request-events.
  mutating func note(event record: ConsumedRecord) {
    guard let value = record.value else { return }
    guard let document = try? JSONDocument.parse(value), let event = try? RequestEvent(json: document.root) else {
      unreadable += 1
      return
    }
    requests[event.requestID, default: RequestStatus(id: event.requestID)].note(event)
  }

  /// Newest first.
  func newest(activeOnly: Bool = false, limit: Int = .max) -> [RequestStatus] {
    let wanted = requests.values.filter { !activeOnly || $0.state.isActive }
    return Array(wanted.sorted { ($0.begun ?? "", $0.id) > ($1.begun ?? "", $1.id) }.prefix(limit))
  }
}
