import FoundationEssentials
import JSON
import Kafka
import Messages
import Monitoring
import Telemetry
import YouTubeAPI

/// A request that somebody wants to be published.
struct NewRequest {
  enum Wish {
    case channel(ChannelRequest)
    case search(SearchRequest)
  }

  let requestID: String?
  let wish: Wish

  init(_ body: JSONValue) throws(Problem) {
    let fields = BodyFields(body)
    requestID = try fields.text("requestId", upTo: 128) { id in
      id.utf8.allSatisfy {
        (0x30...0x3A).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
      }
    }
    if let search = body["search"] {
      try fields.allow(["requestId", "search"])
      guard search.kind == .object else { throw Problem(.unprocessable, "search must be an object.", field: "search") }
      wish = .search(try SearchWish.request(BodyFields(search)))
    } else {
      try fields.allow(["requestId", "channel", "since", "maxVideos", "publishedAfter", "enrich", "allowSearch", "scope"])
      wish = .channel(try Self.channel(fields))
    }
  }

  private static func channel(_ fields: BodyFields) throws(Problem) -> ChannelRequest {
    guard let text = try fields.text("channel", upTo: 2048) else {
      throw Problem(.unprocessable, "The body needs channel (a name, @handle, id or address), or search.", field: "channel")
    }
    var options = RequestOptions()
    options.since = try fields.word("since", ["last"])
    options.maxVideos = try fields.integer("maxVideos", in: 1...1_000_000)
    options.publishedAfter = try fields.time("publishedAfter")
    options.enrich = try fields.truth("enrich") ?? true
    options.allowSearch = try fields.truth("allowSearch") ?? false
    if let scope = try fields.word("scope", RequestOptions.Scope.allCases.map(\.rawValue)) {
      options.scope = RequestOptions.Scope(rawValue: scope) ?? .uploads
    }
    let reference: Reference
    do throws(ReferenceError) { reference = try Reference.parse(text, allowSearch: options.allowSearch) } catch {
      throw Problem(.unprocessable, "channel: \(error.message)", field: "channel")
    }
    return ChannelRequest(target: .channel(text), options: options, key: reference.normalised)
  }

  func entry(id: String) -> RequestEntry {
    switch wish {
    case .channel(let request):
      RequestEntry(
        id: id, kind: .channel, reference: String(request.target.text.prefix(RequestEntry.longestReference)),
        maxVideos: request.options.maxVideos, endsEarly: request.options.since != nil || request.options.publishedAfter != nil)
    case .search(let search): RequestEntry(id: id, kind: .search, reference: search.query, endsEarly: true)
    }
  }

  func message(id: String) -> PublishedMessage {
    switch wish {
    case .channel(var request):
      request.requestID = id
      return .channel(request)
    case .search(var request):
      request.requestID = id
      return .search(request)
    }
  }
}

/// Reads members of a body that a client sent, and names the one that is wrong.
struct BodyFields {
  private let object: JSONValue

  init(_ object: JSONValue) { self.object = object }

  /// Refuses members that would be ignored: a misspelt one would change what is published.
  func allow(_ names: Set<String>) throws(Problem) {
    for (name, _) in object.members where !names.contains(name) {
      throw Problem(
        .unprocessable,
        "There is no member \"\(VisibleText.of(String(name.prefix(100))))\"; there are \(names.sorted().joined(separator: ", ")).")
    }
  }

  func text(_ name: String, upTo most: Int, _ isValid: (String) -> Bool = { _ in true }) throws(Problem) -> String? {
    guard let value = object[named: name] else { return nil }
    guard let text = value.string, text.unicodeScalars.count <= most, !text.allSatisfy(\.isWhitespace), isValid(text) else {
      throw Problem(.unprocessable, "\(name) must be a text of 1 to \(most) characters of its kind.", field: name)
    }
    return text
  }

  func word(_ name: String, _ words: [String]) throws(Problem) -> String? {
    guard let value = object[named: name] else { return nil }
    guard let word = value.string, words.contains(word) else {
      throw Problem(.unprocessable, "\(name) must be one of \(words.joined(separator: ", ")).", field: name)
    }
    return word
  }

  func words(_ name: String, _ words: [String]) throws(Problem) -> [String]? {
    guard let value = object[named: name] else { return nil }
    let given = value.elements.map(\.string)
    let known = given.compactMap { $0 }.filter(words.contains)
    guard value.kind == .array, !given.isEmpty, known.count == given.count, Set(known).count == known.count else {
      throw Problem(.unprocessable, "\(name) must be an array of different words among \(words.joined(separator: ", ")).", field: name)
    }
    return known
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let value = object[named: name] else { return nil }
    guard let number = value.int, range.contains(number) else {
      throw Problem(.unprocessable, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).", field: name)
    }
    return number
  }

  func truth(_ name: String) throws(Problem) -> Bool? {
    guard let value = object[named: name] else { return nil }
    guard let truth = value.bool else { throw Problem(.unprocessable, "\(name) must be true or false.", field: name) }
    return truth
  }

  func time(_ name: String) throws(Problem) -> Date? {
    guard let value = object[named: name] else { return nil }
    guard let time = value.string.flatMap({ Timestamp.parse($0) }) else {
      throw Problem(.unprocessable, "\(name) must be a time such as 2026-01-31T00:00:00Z (RFC 3339).", field: name)
    }
    return time
  }
}
