public import FoundationEssentials
public import JSON
import Telemetry

/// What a request asks for beyond its reference. It travels with every message of the request.
public struct RequestOptions: Sendable, Equatable {
  /// How far a request goes.
  public enum Scope: String, Sendable, CaseIterable {
    /// The channel and every upload.
    case uploads
    /// The channel only.
    case details
    /// One video only.
    case video
  }

  /// How many list entries at most.
  public var maxVideos: Int?
  /// Only videos published at or after this time; RFC 3339.
  public var publishedAfter: Date?
  /// Whether videos.list is asked for duration, statistics and tags.
  public var enrich = true
  public var scope = Scope.uploads
  /// Whether a name that is neither handle nor username may cost a search.
  public var allowSearch = false
  /// After this time no unit is spent on the request.
  public var expiresAt: Date?
  /// `last`: stop at the part of the uploads that an earlier request has seen. Other playlists are read whole.
  public var since: String?
  /// Options of later versions, handed on as they came.
  public var unknown: [JSONTree.Member] = []

  public init() {}

  static let names: Set<String> = ["maxVideos", "publishedAfter", "enrich", "scope", "allowSearch", "expiresAt", "since"]

  /// Reads the options among the members of an object.
  init(reading fields: FieldReader, keepUnknown: Bool) throws(PayloadError) {
    maxVideos = try fields.count("maxVideos", atLeast: 1)
    publishedAfter = try fields.time("publishedAfter")
    enrich = try fields.bool("enrich") ?? true
    if let text = try fields.string("scope") {
      guard let scope = Scope(rawValue: text) else {
        throw PayloadError(fields.code, "\"scope\" must be one of \(Scope.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      self.scope = scope
    }
    allowSearch = try fields.bool("allowSearch") ?? false
    expiresAt = try fields.time("expiresAt")
    if let text = try fields.string("since") {
      guard text == "last" else { throw PayloadError(fields.code, "\"since\" must be \"last\".") }
      since = text
    }
    guard keepUnknown else { return }
    for (key, value) in fields.value.members where !Self.names.contains(key) { unknown.append(.init(key, JSONTree(value))) }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("enrich", enrich)
    writer.member("maxVideos", maxVideos)
    writer.member("publishedAfter", publishedAfter.map(Timestamp.rfc3339))
    if scope != .uploads { writer.member("scope", scope.rawValue) }
    if allowSearch { writer.member("allowSearch", true) }
    writer.member("expiresAt", expiresAt.map(Timestamp.rfc3339))
    writer.member("since", since)
    for member in unknown {
      writer.key(named: member.key)
      writer.value(member.value)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.member("options", object: { writer in writeMembers(to: &writer) })
  }

  static func read(_ fields: FieldReader) throws(PayloadError) -> RequestOptions {
    guard let object = try fields.object("options") else { return RequestOptions() }
    return try RequestOptions(reading: FieldReader(object, code: fields.code, what: "\"options\""), keepUnknown: true)
  }
}
