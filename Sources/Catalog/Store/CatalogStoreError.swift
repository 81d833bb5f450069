/// A database that this program cannot use.
public enum CatalogStoreError: Error, Equatable, CustomStringConvertible {
  /// It belongs to another program.
  case foreign
  case newer(found: Int, known: Int)
  /// Another process uses it, or the lock cannot be had.
  case locked(String)
  /// The file has further names, each of which would have a write-ahead log of its own.
  case linked(String, names: Int)

  public var description: String {
    switch self {
    case .foreign: "the file belongs to another program"
    case .newer(let found, let known): "the file was written by a newer tubeline-catalog (version \(found); this one knows \(known))"
    case .locked(let reason): reason
    case .linked(let path, let names):
      "the database \(path) has \(names) names (hard links), and opening it by two of them would destroy it; "
        + "remove the others (find them with: find / -xdev -samefile \(path)), or copy the file and remove this name"
    }
  }
}
