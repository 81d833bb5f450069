import JSON

/// Writes the members of an answer that the `fields` mask wants; values that are not wanted are not even computed.
struct Emitter {
  private var writer: JSONWriter
  private var selection: FieldMask.Selection

  init(selection: FieldMask.Selection = .everything, pretty: Bool = false, capacity: Int = 0) {
    writer = JSONWriter(capacity: capacity, pretty: pretty)
    self.selection = selection
  }

  var bytes: [UInt8] { writer.bytes }

  mutating func member(_ key: StaticString, _ value: @autoclosure () -> String?) {
    if child(key) != nil { writer.member(key, value()) }
  }

  mutating func member(_ key: StaticString, _ value: @autoclosure () -> Int?) {
    if child(key) != nil { writer.member(key, value()) }
  }

  mutating func member(_ key: StaticString, _ value: @autoclosure () -> Bool?) {
    if child(key) != nil { writer.member(key, value()) }
  }

  /// A uint64, which the API writes as a string.
  mutating func member(_ key: StaticString, count value: @autoclosure () -> Int?) {
    if child(key) != nil { writer.member(key, value().map { String($0) }) }
  }

  mutating func member(_ key: StaticString, strings: @autoclosure () -> [String]?) {
    guard child(key) != nil, let strings = strings() else { return }
    writer.member(key, array: { writer in for string in strings { writer.value(string) } })
  }

  mutating func object(_ key: StaticString, _ body: (inout Emitter) -> Void) {
    guard let wanted = child(key) else { return }
    writer.key(key)
    object(wanted, body)
  }

  mutating func array<Elements: Sequence>(
    _ key: StaticString, _ elements: @autoclosure () -> Elements, _ body: (inout Emitter, Elements.Element) -> Void
  ) {
    guard let wanted = child(key) else { return }
    // The inner emitter borrows the writer by swapping: a copy would copy all bytes written so far.
    var inner = Emitter(selection: wanted)
    writer.member(
      key,
      array: { writer in
        swap(&writer, &inner.writer)
        for element in elements() { inner.object(wanted) { body(&$0, element) } }
        swap(&writer, &inner.writer)
      })
  }

  mutating func root(_ body: (inout Emitter) -> Void) { object(selection, body) }

  /// The wanted members of a recorded object, without those that `keep` refuses.
  mutating func members(of tree: JSONTree, where keep: (String) -> Bool = { _ in true }) {
    for member in tree.members ?? [] where keep(member.key) {
      guard let wanted = child(named: member.key) else { continue }
      writer.key(named: member.key)
      value(member.value, wanted)
    }
  }

  private mutating func object(_ wanted: FieldMask.Selection, _ body: (inout Emitter) -> Void) {
    var inner = Emitter(selection: wanted)
    writer.object { writer in
      swap(&writer, &inner.writer)
      body(&inner)
      swap(&writer, &inner.writer)
    }
  }

  private mutating func value(_ tree: JSONTree, _ wanted: FieldMask.Selection) {
    switch (tree, wanted) {
    case (_, .everything): writer.value(tree)
    case (.object, _): object(wanted) { $0.members(of: tree) }
    case (.array(let elements), _):
      var inner = Emitter(selection: wanted)
      writer.array { writer in
        swap(&writer, &inner.writer)
        for element in elements { inner.value(element, wanted) }
        swap(&writer, &inner.writer)
      }
    default: writer.value(tree)
    }
  }

  private func child(_ key: StaticString) -> FieldMask.Selection? {
    switch selection {
    case .everything: .everything
    case .members(let mask): mask[key]
    }
  }

  private func child(named key: String) -> FieldMask.Selection? {
    switch selection {
    case .everything: .everything
    case .members(let mask): mask[key]
    }
  }
}
