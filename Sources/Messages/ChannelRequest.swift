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

    /// Each form with the member that holds it.
    static let forms: [(name: StaticString, target: @Sendable (String) -> Target)] = [
      ("channel", { .channel($0) }), ("id", { .id($0) }), ("handle", { .handle($0) }), ("username", { .username($0) }),
      ("url", { .url($0) }), ("video", { .video($0) }), ("playlist", { .playlist($0) }),
    ]

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
    for form in Target.forms {
      if let text = try fields.string(form.name) { targets.append(form.target(text)) }
    }
    guard targets.count == 1, let target = targets.first else {
      let names = Target.forms.map(\.name.description).joined(separator: ", ")
      throw PayloadError(.invalidRequest, "A request needs exactly one of \(names); this one has \(targets.count).")
    }
    guard !target.text.trimmingSpace().isEmpty else { throw PayloadError(.invalidRequest, "\"\(target.name)\" is empty.") }
    let requestID = try fields.requestID()
    let options = try RequestOptions(reading: fields, keepUnknown: false)
    self.init(requestID: requestID, target: target, options: options)
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("requestId", requestID)
      writer.member(target.name, target.text)
      options.writeMembers(to: &writer)
    }
  }
}
