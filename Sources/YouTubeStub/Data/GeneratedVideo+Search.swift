extension GeneratedVideo {
  var eventType: String {
    switch broadcast {
    case .none: "none"
    case .upcoming: "upcoming"
    case .live: "live"
    case .completed: "completed"
    }
  }

  /// Whether a search with these parameters lists it; what the generator has no data for lets everything through.
  func matches(_ filters: [String: String]) -> Bool {
    filters.allSatisfy { name, value in
      switch (name, value) {
      case ("eventType", _): value == eventType
      case ("videoCaption", "closedCaption"): hasCaptions
      case ("videoCaption", "none"): !hasCaptions
      case ("videoDefinition", "high"): isHD
      case ("videoDefinition", "standard"): !isHD
      case ("videoDimension", "2d"): !is3D
      case ("videoDimension", "3d"): is3D
      case ("videoDuration", "short"): seconds.map { (1..<240).contains($0) } ?? false
      case ("videoDuration", "medium"): seconds.map { (240...1200).contains($0) } ?? false
      case ("videoDuration", "long"): seconds.map { $0 > 1200 } ?? false
      case ("videoEmbeddable", "true"): isEmbeddable
      case ("videoLicense", "creativeCommon"): isCreativeCommons
      case ("videoLicense", "youtube"): !isCreativeCommons
      default: true
      }
    }
  }

  /// Of its duration.
  private var seconds: Int? {
    guard let duration else { return nil }
    let units: [Character: Int] = ["W": 604_800, "D": 86_400, "H": 3_600, "M": 60, "S": 1]
    var sum = 0
    var count = 0
    for character in duration {
      if let digit = character.wholeNumberValue {
        count = count * 10 + digit
      } else {
        sum += count * (units[character] ?? 0)
        count = 0
      }
    }
    return sum
  }
}
