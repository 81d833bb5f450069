/// A picture of a channel, playlist or video in one size.
public struct Thumbnail: Sendable, Equatable {
  /// `default`, `medium`, `high`, `standard`, `maxres`, `fhd`, `qhd`, `uhd`, or what the API adds.
  public let name: String
  public let url: String
  /// Pixels.
  public let width: Int?
  public let height: Int?

  public init(name: String, url: String, width: Int? = nil, height: Int? = nil) {
    self.name = name
    self.url = url
    self.width = width
    self.height = height
  }
}
