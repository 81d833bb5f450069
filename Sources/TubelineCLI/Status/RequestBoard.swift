import FoundationEssentials
import JSON
import Kafka
import Messages
import Monitoring
import Telemetry

/// Every request that the topics channel-requests, search-requests and request-events still know.
struct RequestBoard: Sendable {
  private var requests: [ExactText: RequestStatus] = [:]
  /// When requests were ordered to end, also those that are not known yet.
  private var cancelled: [ExactText: String] = [:]
  /// Events that cannot be read.
  private(set) var unreadable = 0

  subscript(_ id: String) -> RequestStatus? { requests[ExactText(id)].map(withOrder) }

  /// A message of channel-requests; an unusable one is a request, too, until its event says so.
  mutating func note(request record: ConsumedRecord) {
    let request = try? ChannelRequest(value: record.value)
    note(record, request?.requestID) { status, time in
      if let request { status.note(request: request, at: time) } else { status.note(unusable: record.value, at: time) }
    }
  }

  /// A message of search-requests.
  mutating func note(search record: ConsumedRecord) {
    let search = try? SearchRequest(value: record.value)
    note(record, search?.requestID) { status, time in
      if let search { status.note(search: search, at: time) } else { status.note(unusable: record.value, at: time) }
    }
  }

  private mutating func note(_ record: ConsumedRecord, _ named: String?, _ note: (inout RequestStatus, String?) -> Void) {
    let id = named ?? UnusableRequest(record.value).requestID ?? ReceivedMessage(record).origin
    let time = record.timestamp.map { Timestamp.rfc3339(Date(timeIntervalSince1970: Double($0) / 1000)) }
    note(&requests[ExactText(id), default: RequestStatus(id: id)], time)
  }

  /// A message of request-events.
  mutating func note(event record: ConsumedRecord) {
    guard let value = record.value else { return }
    guard let document = try? JSONDocument.parse(value), let event = try? RequestEvent(json: document.root) else {
      unreadable += 1
      return
    }
    requests[ExactText(event.requestID), default: RequestStatus(id: event.requestID)].note(event)
  }

  /// A message of request-control.
  mutating func note(control record: ConsumedRecord) {
    guard let document = record.value.flatMap({ try? JSONDocument.parse($0) }) else { return }
    guard let control = try? RequestControl(json: document.root) else { return }
    cancelled[ExactText(control.requestID)] = control.at
  }

  private func withOrder(_ request: RequestStatus) -> RequestStatus {
    var request = request
    request.cancelRequestedAt = cancelled[ExactText(request.id)]
    return request
  }

  /// Newest first.
  func newest(activeOnly: Bool = false, limit: Int = .max) -> [RequestStatus] {
    let wanted = requests.values.filter { !activeOnly || $0.state.isActive }
    return wanted.sorted { ($0.begun ?? "", $0.id) > ($1.begun ?? "", $1.id) }.prefix(limit).map(withOrder)
  }
}
