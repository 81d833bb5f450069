/// What a person means by a text: a channel, by one of its names, or a video or playlist.
public enum Reference: Sendable, Hashable {
  /// A channel id: `UC` and 22 characters.
  case id(String)
  /// Without `@`, as written; handles are compared without regard to case.
  case handle(String)
  /// A legacy user name: `/user/name`.
  case username(String)
  /// A custom name: `/c/name`. The API has no look-up for it.
  case customName(String)
  /// A bare name or `/name`: a handle, a user name or a custom name.
  case name(String)
  case video(String)
  case playlist(String)
}

extension Reference {
  /// Reads what a person pastes: an id, a handle, a name, or a URL of YouTube.
  public static func parse(_ text: String, allowSearch: Bool = false) throws(ReferenceError) -> Reference { .name(text) }

  /// Reads the value of one member of a channel request.
  public static func parse(_ text: String, as form: ReferenceForm, allowSearch: Bool = false) throws(ReferenceError) -> Reference {
    .name(text)
  }

  /// One spelling for all spellings of the same reference: the Kafka key.
  public var normalised: String { "" }
}
