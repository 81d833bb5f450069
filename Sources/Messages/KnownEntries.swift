import JSON

/// Entries of a list by their video ids, the list's first one first, so that a later listing knows them.
public struct KnownEntries: Sendable, Equatable {
  public var ids: [String]
  /// Those of the ids that were private or deleted when they were read: one that can be watched later is news.
  public var unavailable: Set<String>

  public init(ids: [String] = [], unavailable: Set<String> = []) {
    self.ids = ids
    self.unavailable = unavailable
  }

  /// Remembers an entry, unless there are `limit` already. Overlapping pages tell one twice.
  public mutating func append(_ id: String, isAvailable: Bool, upTo limit: Int) {
    guard ids.count < limit, !ids.contains(id) else { return }
    ids.append(id)
    if !isAvailable { unavailable.insert(id) }
  }

  func write(_ name: StaticString, to writer: inout JSONWriter) {
    writer.member(
      name,
      object: { writer in
        writer.member("ids", array: { writer in for id in ids { writer.value(id) } })
        guard !unavailable.isEmpty else { return }
        // In the order of the ids, so that a step done twice writes the same bytes.
        writer.member("unavailable", array: { writer in for id in ids where unavailable.contains(id) { writer.value(id) } })
      })
  }

  static func read(_ name: StaticString, _ fields: FieldReader) throws(PayloadError) -> KnownEntries? {
    guard let object = try fields.object(name) else { return nil }
    let lists = try FieldReader(object, code: fields.code, what: "\"\(name)\"")
    return KnownEntries(ids: try lists.strings("ids"), unavailable: Set(try lists.strings("unavailable")))
  }
}

/// What a listing that stops at the known part has to know on each of its pages.
public struct Refresh: Sendable, Equatable {
  /// The entries at the head of the list when it was listed last.
  public var known: KnownEntries
  /// How many known entries are read and published again before paging stops.
  public var lookBack: Int
  /// How many known entries the pages so far had.
  public var met: Int

  public init(known: KnownEntries, lookBack: Int, met: Int = 0) {
    self.known = known
    self.lookBack = lookBack
    self.met = met
  }

  func write(to writer: inout JSONWriter) {
    writer.member(
      "refresh",
      object: { writer in
        known.write("known", to: &writer)
        writer.member("lookBack", lookBack)
        writer.member("met", met)
      })
  }

  static func read(_ fields: FieldReader) throws(PayloadError) -> Refresh? {
    guard let object = try fields.object("refresh") else { return nil }
    let own = try FieldReader(object, code: fields.code, what: "\"refresh\"")
    guard let known = try KnownEntries.read("known", own) else {
      throw PayloadError(fields.code, "\"refresh\" has no \"known\".")
    }
    return Refresh(known: known, lookBack: try own.count("lookBack") ?? 0, met: try own.count("met") ?? 0)
  }
}
