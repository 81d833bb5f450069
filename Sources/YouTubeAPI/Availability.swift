/// Who can see a video, as far as a playlist entry tells.
public enum Availability: String, Sendable, CaseIterable {
  case `public`, unlisted, `private`, deleted, unknown
}
