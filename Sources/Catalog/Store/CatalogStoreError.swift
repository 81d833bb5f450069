import Glibc

/// A database that this program cannot use.
public enum CatalogStoreError: Error, Equatable, CustomStringConvertible {
  /// It belongs to another program.
  case foreign
  case newer(found: Int, known: Int)
  /// Another process uses it.
  case locked(String)
  /// The file or its lock cannot be made or read.
  case unusable(String, errno: Int32)
  /// The file has further names, each of which would have a write-ahead log of its own.
  case linked(String, names: Int)

  /// The same file may be had later: another process ends, or the disk gets room.
  var isRetriable: Bool {
    switch self {
    case .locked: true
    case .unusable(_, let errno): [EAGAIN, EDQUOT, EINTR, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC].contains(errno)
    case .foreign, .newer, .linked: false
    }
  }

  public var description: String {
    switch self {
    case .foreign: "the file belongs to another program"
    case .newer(let found, let known): "the file was written by a newer tubeline-catalog (version \(found); this one knows \(known))"
    case .locked(let reason): reason
    case .unusable(let path, let errno): "\(path) cannot be opened: \(String(cString: strerror(errno)))"
    case .linked(let path, let names):
      "the database \(path) has \(names) names (hard links), and opening it by two of them would destroy it; "
        + "remove the others (find them with: find / -xdev -samefile \(path)), or copy the file and remove this name"
    }
  }
}
