import FoundationEssentials
import Messages
import Telemetry
import YouTubeAPI

/// A text that was given as a channel, video or playlist, and where it stood.
struct GivenName: Sendable, Equatable {
  let text: String
  /// `names.txt:12`, `standard input:3`; nil for an operand.
  let place: String?
}

/// Given names, checked: what can be asked for, and what cannot with the reason.
struct ReferenceList: Sendable {
  struct Entry: Sendable, Equatable {
    let name: GivenName
    let reference: Reference
    /// What a request says of it.
    let target: ChannelRequest.Target

    init(name: GivenName, reference: Reference, target: ChannelRequest.Target? = nil) {
      self.name = name
      self.reference = reference
      self.target = target ?? .channel(name.text)
    }
  }

  private(set) var entries: [Entry] = []
  /// Sentences for people, one for each unusable name.
  private(set) var problems: [String] = []
  /// How many names meant the same as an earlier one.
  private(set) var repetitions = 0

  /// - Parameter scope: with `video`, a bare id is a video, and names of channels are none.
  init(_ names: [GivenName], allowSearch: Bool = false, scope: RequestOptions.Scope = .uploads) {
    var seen: Set<String> = []
    for name in names {
      do throws(ReferenceError) {
        let entry =
          scope == .video ? try Self.video(name) : Entry(name: name, reference: try Reference.parse(name.text, allowSearch: allowSearch))
        if seen.insert(entry.reference.normalised).inserted {
          entries.append(entry)
        } else {
          repetitions += 1
        }
      } catch {
        let place = name.place.map { "\($0): " } ?? ""
        problems.append(
          "\(place)\"\(VisibleText.of(String(name.text.prefix(200))))\": \(scope == .video ? error.message : Self.reason(name.text, error))"
        )
      }
    }
  }

  // A bare id may be a channel's name, unless one says that a video is meant.
  private static func video(_ name: GivenName) throws(ReferenceError) -> Entry {
    if case .video(let id)? = try? Reference.parse(name.text, as: .video), id.utf8.count == 11 {
      return Entry(name: name, reference: .video(id), target: .video(id))
    }
    let reference = try Reference.parse(name.text, allowSearch: true)
    switch reference {
    case .video, .playlist: return Entry(name: name, reference: reference)
    case .id, .handle, .username, .customName, .name:
      throw ReferenceError(
        code: .unknownReference, message: "This names a channel; --scope video needs the id of a video (11 characters) or its address.")
    }
  }

  /// `1 repeated name is published once.`
  func repetitionSentence(_ done: String) -> String {
    "\(repetitions) repeated \(repetitions == 1 ? "name is" : "names are") \(done) once."
  }

  // The reason of a message speaks of its JSON; here a flag is what helps.
  private static func reason(_ text: String, _ error: ReferenceError) -> String {
    guard (try? Reference.parse(text, allowSearch: true)) != nil else { return error.message }
    let what = text.contains(where: \.isWhitespace) ? "blanks" : "such signs"
    return "A name with \(what) is neither a handle nor a user name; searching for it needs --allow-search."
  }

  /// One name a line; blank lines and lines that begin with `#` are left out.
  static func names(in text: String, of source: String) -> [GivenName] {
    var names: [GivenName] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let trimmed = line.drop(while: \.isWhitespace)
      guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }), trimmed.first != "#" else { continue }
      // A file of another system may begin with a byte order mark.
      let name = String(trimmed[...last]).replacing("\u{FEFF}", with: "")
      if !name.isEmpty { names.append(GivenName(text: name, place: "\(source):\(index + 1)")) }
    }
    return names
  }
}
