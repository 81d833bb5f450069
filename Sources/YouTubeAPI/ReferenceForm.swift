/// The members of a channel request that name what is wanted.
public enum ReferenceForm: String, Sendable, CaseIterable {
  case channel, id, handle, username, url, video, playlist
}
