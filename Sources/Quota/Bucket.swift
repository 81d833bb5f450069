/// A daily allowance that the API counts on its own; its raw value is what settings, metrics and ledgers call it.
public enum Bucket: String, Sendable, Hashable, CaseIterable, Comparable, CustomStringConvertible {
  case `default`, search, batchGetStats

  public var description: String { rawValue }
  public static func < (left: Bucket, right: Bucket) -> Bool { left.rawValue < right.rawValue }
}
