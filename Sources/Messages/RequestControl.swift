public import JSON

/// An order about a running request (topic request-control). The last one for a request counts.
public struct RequestControl: Payload, Equatable {
  public static let topic = Topic.requestControl
  public static let kind: StaticString = "request-control"

  public enum Order: String, Sendable, CaseIterable {
    /// No further unit is spent on the request; it ends as cancelled.
    case cancel
  }

  public var requestID: String
  public var order: Order
  /// RFC 3339.
  public var at: String

  public var key: String { requestID }
  public var place: String { "\(order.rawValue)/control" }

  public init(requestID: String, order: Order, at: String) {
    self.requestID = requestID
    self.order = order
    self.at = at
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("requestId", requestID)
      writer.member("type", order.rawValue)
      writer.member("at", at)
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "A RequestControl")
    guard let order = Order(rawValue: try fields.required("type")) else {
      throw PayloadError(.invalidMessage, "\"type\" must be one of \(Order.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    self.init(requestID: try fields.required("requestId"), order: order, at: try fields.string("at") ?? "")
  }
}
