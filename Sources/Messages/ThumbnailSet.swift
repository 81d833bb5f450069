import JSON

/// Pictures by the API's names (default, medium, high, standard, maxres, fhd, …); sizes in pixels where the API tells them.
public struct ThumbnailSet: Sendable, Equatable {
  public struct Picture: Sendable, Equatable {
    public let name: String
    public let url: String
    public let width: Int?
    public let height: Int?

    public init(name: String, url: String, width: Int?, height: Int?) {
      self.name = name
      self.url = url
      self.width = width
      self.height = height
    }
  }

  public var pictures: [Picture]

  public init(_ pictures: [Picture] = []) { self.pictures = pictures }

  public var isEmpty: Bool { pictures.isEmpty }

  /// The default thumbnail's URL, or the first one's.
  public var preferred: String? { (pictures.first { $0.name == "default" } ?? pictures.first)?.url }

  func write(_ key: StaticString, to writer: inout JSONWriter) {
    writer.member(
      key,
      object: { writer in
        for picture in pictures {
          writer.key(named: picture.name)
          writer.object { writer in
            writer.member("url", picture.url)
            writer.member("width", picture.width)
            writer.member("height", picture.height)
          }
        }
      })
  }

  init(_ value: JSONValue?) {
    pictures =
      value?.members.compactMap { name, picture in
        picture["url"]?.string.map { Picture(name: name, url: $0, width: picture["width"]?.int, height: picture["height"]?.int) }
      } ?? []
  }
}
