import JSON

/// An error answer of the API, in the shapes of its envelope.
struct APIError: Error, Equatable {
  var status: Int
  var reason: String
  var domain: String
  var message: String
  var location: String?
  var locationType: String?
  /// google.rpc.Code's name; older errors have none.
  var code: String?
  var details: [JSONTree] = []

  init(
    _ status: Int, _ reason: String, domain: String, message: String, location: String? = nil, locationType: String? = nil,
    code: String? = nil, details: [JSONTree] = []
  ) {
    self.status = status
    self.reason = reason
    self.domain = domain
    self.message = message
    self.location = location
    self.locationType = location == nil ? nil : locationType ?? "parameter"
    self.code = code
    self.details = details
  }

  var envelope: JSONTree {
    var entry: JSONTree = ["message": .string(message), "domain": .string(domain), "reason": .string(reason)]
    entry["location"] = location.map { .string($0) }
    entry["locationType"] = locationType.map { .string($0) }
    var error: JSONTree = ["code": .int(status), "message": .string(message), "errors": [entry]]
    error["status"] = code.map { .string($0) }
    if !details.isEmpty { error["details"] = .array(details) }
    return ["error": error]
  }

  static func info(_ reason: String, _ metadata: JSONTree) -> JSONTree {
    ["@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(reason), "domain": "googleapis.com", "metadata": metadata]
  }
}
