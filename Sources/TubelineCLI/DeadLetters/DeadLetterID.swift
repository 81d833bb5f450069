import Messages

/// Where a dead letter lies, as people write it: stage, partition and offset, `playlists-0-17`.
struct DeadLetterID: Hashable, Sendable, CustomStringConvertible {
  let stage: StageName
  let partition: Int32
  let offset: Int64

  init(stage: StageName, partition: Int32, offset: Int64) {
    self.stage = stage
    self.partition = partition
    self.offset = offset
  }

  /// Takes the topic's name for the stage's too: `playlists-dead-0-17`.
  init(parsing text: String) throws(UsageError) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let stage = parts.first.flatMap { StageName(rawValue: String($0)) }
    let place = parts.dropFirst(parts.count == 4 && parts[1] == "dead" ? 2 : 1)
    guard let stage, place.count == 2, let partition = place.first.flatMap({ Int32($0) }), let offset = place.last.flatMap({ Int64($0) })
    else { throw UsageError("A letter is named STAGE-PARTITION-OFFSET, such as playlists-0-17; given is \"\(text)\".") }
    self.init(stage: stage, partition: partition, offset: offset)
  }

  var description: String { "\(stage.rawValue)-\(partition)-\(offset)" }
}
