/// A database that this program cannot use.
public enum CatalogStoreError: Error, Equatable, CustomStringConvertible {
  /// It belongs to another program.
  case foreign
  case newer(found: Int, known: Int)
  /// Another process uses it, or the lock cannot be had.
  case locked(String)

  public var description: String {
    switch self {
    case .foreign: "the file belongs to another program"
    case .newer(let found, let known): "the file was written by a newer tubeline-catalog (version \(found); this one knows \(known))"
    case .locked(let reason): reason
    }
  }
}
