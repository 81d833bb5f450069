import HTTPServer

/// The parameters of one call, read and checked as the API does.
struct Call {
  let method: Method
  let request: HTTPServer.Request

  init(method: Method, request: HTTPServer.Request) {
    self.method = method
    self.request = request
  }

  /// Parameters that every method takes.
  static let common: Set<String> = [
    "key", "alt", "fields", "prettyPrint", "pp", "quotaUser", "userIp", "callback", "access_token", "oauth_token", "uploadType",
    "upload_protocol", "$.xgafv", "$alt", "$fields", "$prettyPrint", "$key",
  ]

  /// A single value; the last one counts, an empty one is none.
  func single(_ name: String) -> String? {
    request.query.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// A repeated parameter: several of the name, and commas in each; `nil` when it was not sent at all.
  func list(_ name: String) -> [String]? {
    let values = request.query.filter { $0.name == name }
    guard !values.isEmpty else { return nil }
    return values.flatMap { $0.value.split(separator: ",") }.map { Self.trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// Ids, each once; more than fifty are refused.
  func ids(_ name: String = "id") throws(APIError) -> [String]? {
    guard let all = list(name) else { return nil }
    guard all.count <= 50 else { throw .invalidFilters }
    var seen: Set<String> = []
    return all.filter { seen.insert($0).inserted }
  }

  func integer(_ name: String, _ range: ClosedRange<Int>, default standard: Int) throws(APIError) -> Int {
    guard let text = single(name) else { return standard }
    guard let value = Int(text) else {
      let message = "Invalid value at '\(name)' (TYPE_UINT32), \"\(text)\""
      throw .invalidArgument(message, fields: [(name, message)])
    }
    guard range.contains(value) else { throw .outOfRange(name, value, range) }
    return value
  }

  func flag(_ name: String) throws(APIError) -> Bool? {
    switch single(name) {
    case nil: return nil
    case "true", "1": return true
    case "false", "0": return false
    case .some(let text):
      let message = "Invalid value at '\(name)' (TYPE_BOOL), \"\(text)\""
      throw .invalidArgument(message, fields: [(name, message)])
    }
  }

  func choice(_ name: String, _ values: Set<String>) throws(APIError) -> String? {
    guard let text = single(name) else { return nil }
    guard values.contains(text) else {
      let message = "Invalid value at '\(name)' (type.googleapis.com/youtube.api.v3), \"\(text)\""
      throw .invalidArgument(message, fields: [(name, message)])
    }
    return text
  }

  func moment(_ name: String) throws(APIError) -> Int? {
    guard let text = single(name) else { return nil }
    guard let seconds = CivilTime.seconds(text) else {
      let message = "Invalid value at '\(name)' (type.googleapis.com/google.protobuf.Timestamp), \"\(text)\""
      throw .invalidArgument(message, fields: [(name, message)])
    }
    return seconds
  }

  func pageToken() throws(APIError) -> PageToken? {
    guard let text = single("pageToken") else { return nil }
    guard let token = PageToken(text) else { throw .invalidPageToken }
    return token
  }

  /// The parts asked for, all known to the method.
  func parts() throws(APIError) -> Set<String> {
    guard let parts = list("part"), !parts.isEmpty else { throw .required("part") }
    for part in parts {
      if method.ownerParts.contains(part) {
        throw APIError(
          403, "forbidden", domain: "youtube.\(method.resource)", message: "Access forbidden. The request may not be properly authorized.",
          location: "part")
      }
      guard method.parts.contains(part) else { throw .unknownPart(part) }
    }
    return Set(parts)
  }

  /// The one filter that was set; `filters` in the order of the API's message.
  func filter(of filters: [String]) throws(APIError) -> String {
    let set = filters.filter { name in request.query.contains { $0.name == name && !$0.value.isEmpty } }
    guard let first = set.first else { throw .noFilter(filters) }
    guard set.count == 1 else { throw .incompatible(set) }
    return first
  }

  /// What `fields` wants, checked against the names that the method's answer has.
  func selection() throws(APIError) -> FieldMask.Selection {
    guard let text = single("fields") ?? single("$fields") else { return .everything }
    let mask: FieldMask
    do throws(FieldMask.SyntaxError) { mask = try FieldMask.parse(text) } catch {
      throw .invalidFields(error.rest.isEmpty ? text : error.rest)
    }
    if let path = mask.firstUnknownPath(in: method.schema) { throw .invalidFields(path) }
    return .members(mask)
  }

  /// Names that neither the method nor the API has are refused.
  func checkNames() throws(APIError) {
    for parameter in request.query where !method.parameters.contains(parameter.name) && !Self.common.contains(parameter.name) {
      throw .unknownName(parameter.name)
    }
    if let alt = single("alt") ?? single("$alt"), alt != "json" {
      throw .invalidArgument("Invalid value at 'alt', \"\(alt)\"")
    }
  }

  var wantsPretty: Bool { !["false", "0"].contains(single("prettyPrint") ?? single("$prettyPrint") ?? "true") }
}
