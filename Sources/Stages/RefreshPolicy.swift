/// How far a request with `since` reads.
public struct RefreshPolicy: Sendable, Equatable {
  /// How many known entries are read, and published again, before paging stops: late-published videos sit deeper than their date.
  public var lookBack: Int
  /// A listing reads the whole list when the last one that did is older; `nil` is never.
  public var fullPassAfter: Duration?

  public init(lookBack: Int = 25, fullPassAfter: Duration? = nil) {
    self.lookBack = lookBack
    self.fullPassAfter = fullPassAfter
  }

  /// How many entries a watermark remembers: those of the look-back and of the rest of its last page, and some in place of the deleted.
  var remembered: Int { lookBack + 75 }
}
