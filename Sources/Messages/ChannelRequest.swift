public import JSON

/// A wish for a channel, a video or a playlist (topic channel-requests). Plain text is `{"channel": text}`.
public struct ChannelRequest: Payload, Equatable {
  public static let topic = Topic.channelRequests
  public static let kind: StaticString = "channel-request"

  /// The one form in which the request names its object. `channel` and `url` hold anything a person pastes.
  public enum Target: Sendable, Equatable {
    case channel(String)
    case id(String)
    case handle(String)
    case username(String)
    case url(String)
    case video(String)
    case playlist(String)

    /// The text, whatever its form.
    public var text: String {
      switch self {
      case .channel(let text), .id(let text), .handle(let text), .username(let text), .url(let text), .video(let text), .playlist(let text):
        text
      }
    }

    var name: StaticString {
      switch self {
      case .channel: "channel"
      case .id: "id"
      case .handle: "handle"
      case .username: "username"
      case .url: "url"
      case .video: "video"
      case .playlist: "playlist"
      }
    }
  }

  public var requestID: String?
  public var target: Target
  public var options: RequestOptions
  /// The Kafka key: the normalised reference, which the publisher computes.
  public var key: String

  public var place: String { "request" }

  public init(requestID: String? = nil, target: Target, options: RequestOptions = RequestOptions(), key: String = "") {
    self.requestID = requestID
    self.target = target
    self.options = options
    self.key = key.isEmpty ? target.text : key
  }

  /// Reads a message's value: JSON when it begins with a brace, plain text otherwise.
  public init(value: [UInt8]?) throws(PayloadError) {
    switch try RequestBody(value) {
    case .json(let document): try self.init(json: document)
    case .text(let text): self.init(target: .channel(text))
    }
  }

  private init(json document: JSONDocument) throws(PayloadError) {
    let fields = try FieldReader(document.root, code: .invalidRequest, what: "A request")
    var targets: [Target] = []
    if let text = try fields.string("channel") { targets.append(.channel(text)) }
    if let text = try fields.string("id") { targets.append(.id(text)) }
    if let text = try fields.string("handle") { targets.append(.handle(text)) }
    if let text = try fields.string("username") { targets.append(.username(text)) }
    if let text = try fields.string("url") { targets.append(.url(text)) }
    if let text = try fields.string("video") { targets.append(.video(text)) }
    if let text = try fields.string("playlist") { targets.append(.playlist(text)) }
    guard targets.count == 1, let target = targets.first else {
      throw PayloadError(
        .invalidRequest,
        "A request needs exactly one of channel, id, handle, username, url, video, playlist; this one has \(targets.count).")
    }
    guard !target.text.trimmingSpace().isEmpty else { throw PayloadError(.invalidRequest, "\"\(target.name)\" is empty.") }
    let requestID = try fields.requestID()
    let options = try RequestOptions(reading: fields, keepUnknown: false)
    self.init(requestID: requestID, target: target, options: options)
  }

  /// The requestId of a message that cannot be read as a request, where it still tells one.
  public static func requestID(inUnusable value: [UInt8]?) -> String? {
    guard let value, let document = try? JSONDocument.parse(RequestBody.withoutMark(value)) else { return nil }
    return document.root["requestId"]?.string.flatMap { $0.isEmpty || $0.utf8.count > 256 ? nil : $0 }
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("requestId", requestID)
      writer.member(target.name, target.text)
      options.writeMembers(to: &writer)
    }
  }
}
