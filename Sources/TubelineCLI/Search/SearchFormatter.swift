import JSON
import Kafka

/// Turns what a search found into lines: the records themselves, or one kind of row for channels, videos and playlists.
struct SearchFormatter {
  private let format: RecordFormatter.Format
  private var formatter: RecordFormatter

  init(_ options: SearchOptions, output: ByteOutput) {
    format = options.format ?? (output.isTerminal ? .table : .jsonl)
    formatter = RecordFormatter(kind: .results, format: format, width: TerminalSize.columns(of: output))
    formatter.isRaw = options.isRawCSV
    formatter.isForTerminal = output.isTerminal
  }

  func header() -> String { formatter.header() }
  mutating func flush() -> String { formatter.flush() }

  mutating func lines(_ shown: SearchState.Shown) -> [UInt8] {
    guard let document = shown.record.value.flatMap({ try? JSONDocument.parse($0) }) else { return [] }
    guard format != .jsonl else { return formatter.lines(shown.record, document.root) }
    guard let row = try? JSONDocument.parse(Self.row(document.root, shown.position, ranksFromOne: format == .table).bytes()) else {
      return []
    }
    return formatter.lines(shown.record, row.root)
  }

  private static func row(_ json: JSONValue, _ position: Int?, ranksFromOne: Bool) -> JSONTree {
    var members: [JSONTree.Member] = []
    func add(_ name: String, _ text: String?) { if let text { members.append(.init(name, .string(text))) } }
    if let position { members.append(.init("position", .int(ranksFromOne ? position + 1 : position))) }
    let (video, channel) = (json["videoId"]?.string, json["channelId"]?.string)
    add("kind", video != nil ? position == nil ? "entry" : "video" : channel != nil ? "channel" : "playlist")
    add("id", video ?? channel ?? json["playlistId"]?.string)
    add("url", json["url"]?.string ?? channel.map { "https://www.youtube.com/channel/\($0)" })
    add("title", json["title"]?.string)
    add("channelTitle", json["channelTitle"]?.string)
    for name in ["publishedAt", "requestId"] { add(name, json[named: name]?.string) }
    if let seconds = json["durationSeconds"]?.int { members.append(.init("durationSeconds", .int(seconds))) }
    if let views = json["statistics"]?["viewCount"]?.int { members.append(.init("viewCount", .int(views))) }
    return .object(members)
  }
}
