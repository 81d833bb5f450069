/// SQLite refused something (https://sqlite.org/rescode.html).
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The primary result code, such as 5 for SQLITE_BUSY.
  public let code: Int32
  public let extendedCode: Int32
  public let message: String

  public init(extendedCode: Int32, message: String) {
    self.code = extendedCode & 0xFF
    self.extendedCode = extendedCode
    self.message = message
  }

  /// Another process holds the lock (5 BUSY, 6 LOCKED), the disk is full (13), or a read or write failed (10): later it may work.
  public var isRetriable: Bool { [5, 6, 10, 13].contains(code) }
  /// Another process held the lock for as long as a call waits for it.
  public var isBusy: Bool { extendedCode == 5 }
  public var description: String { "SQLite: \(message) (code \(extendedCode))" }

  /// What a closed `Database` throws.
  public static let closedDatabase = SQLiteError(extendedCode: 21, message: "the database is closed")
}
