extension String {
  /// The text with `***` in every place of the secret; an empty secret is in no place.
  public func hiding(_ secret: String) -> String {
    guard !secret.isEmpty else { return self }
    // By bytes: with an accent behind it, the secret's last letter is another character to Swift.
    let wanted = Array(secret.utf8)
    var rest = Array(utf8)[...]
    var result: [UInt8] = []
    while let place = rest.firstRange(of: wanted) {
      result += rest[..<place.lowerBound] + Array("***".utf8)
      rest = rest[place.upperBound...]
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}
