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
  /// One spelling for all spellings of the same reference: the Kafka key. Parsing it gives the same reference again.
  public var normalised: String {
    switch self {
    case .id(let id): id
    case .handle(let handle): "@" + NameText.folded(handle)
    case .username(let name): "user/" + NameText.folded(name)
    case .customName(let name): "c/" + NameText.folded(name)
    case .name(let name): NameText.folded(name)
    case .video(let id): "watch?v=" + id
    case .playlist(let id): "playlist?list=" + id
    }
  }

  /// A `name` that can be neither a handle nor a user name, and can only be searched for.
  public var isSearchText: Bool {
    if case .name(let name) = self { !NameText.isName(name) } else { false }
  }
}
