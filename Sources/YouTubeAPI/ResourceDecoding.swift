import JSON

extension JSONValue {
  /// A text that says something.
  var filledString: String? {
    guard let text = string, !text.isEmpty else { return nil }
    return text
  }

  /// An id, which can go into a query, a key and a URL as it is.
  var resourceID: String? {
    guard let text = string, ResourceID.isPlausible(text) else { return nil }
    return text
  }

  var time: String? { string.flatMap(APITime.normalised) }

  /// `true`, or the text "true".
  var truth: Bool? {
    if let bool { return bool }
    switch string {
    case "true": return true
    case "false": return false
    default: return nil
    }
  }

  /// Sizes with their addresses, in the order of the text; a size without address is left out.
  var thumbnails: [Thumbnail] {
    var result: [Thumbnail] = []
    for (name, value) in members {
      guard let url = value["url"]?.filledString else { continue }
      result.append(Thumbnail(name: name, url: url, width: value["width"]?.count, height: value["height"]?.count))
    }
    return result
  }
}

/// Ids of channels, videos and playlists are of one alphabet; their lengths vary, and are the API's affair.
enum ResourceID {
  static func isPlausible(_ text: String) -> Bool {
    let bytes = text.utf8
    return !bytes.isEmpty && bytes.count <= 128 && bytes.allSatisfy(isPlausible)
  }

  static func isPlausible(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
