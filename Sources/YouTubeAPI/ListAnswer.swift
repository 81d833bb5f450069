import JSON

/// The frame that all list answers share.
struct ListAnswer<Item> {
  var items: [Item] = []
  /// Elements of `items` that could not be read.
  var skipped = 0
  var nextPageToken: String?
  var totalResults: Int?
  var etag: String?

  /// Reads a good answer of a method; one odd item costs only itself. `nil` if this is no answer of that method at all.
  ///
  /// "Nothing found" comes as an empty array or without `items`; then at least `kind` has to be there, since an empty object may be
  /// anything, and would be taken for "no such channel".
  init?(_ root: JSONValue, of method: APIMethod, decode: (JSONValue) -> Item?) {
    guard root.kind == .object else { return nil }
    let kind = root["kind"]
    if let kind, kind.string != method.responseKind { return nil }
    switch root["items"] {
    case let array? where array.kind == .array:
      for element in array.elements {
        if let item = decode(element) { items.append(item) } else { skipped += 1 }
      }
    case let other? where !other.isNull: return nil
    default: if kind == nil { return nil }
    }
    // Without its token the rest of the list would be missing, and nobody would know.
    if let token = root["nextPageToken"], !token.isNull, token.string == nil { return nil }
    nextPageToken = root["nextPageToken"]?.filledString
    totalResults = root["pageInfo"]?["totalResults"]?.count
    etag = root["etag"]?.filledString
  }
}
