/// Finds what a mistyped word was meant to be.
public enum NearestName {
  /// The name with the fewest edits, if they are few for its length.
  public static func of(_ word: String, among names: [String]) -> String? {
    let distances = names.map { (name: $0, edits: edits(Array(word.utf8), Array($0.utf8))) }
    guard let best = distances.min(by: { $0.edits < $1.edits }), best.edits <= max(1, best.name.utf8.count / 3) else { return nil }
    return best.name
  }

  // Levenshtein's distance, row by row.
  private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, byte) in left.prefix(100).enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (byte == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column + 1] + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
