/// How a database file is opened.
public struct DatabaseOptions: Sendable {
  /// `full` survives a power cut; `normal` may then lose the last commits, yet never damages the file.
  public enum Synchronous: String, Sendable, CaseIterable { case off, normal, full }

  public var isReadOnly = false
  public var synchronous = Synchronous.normal
  /// How long a statement waits for other processes before it fails with code 5 (BUSY).
  public var busyTimeout = Duration.seconds(10)

  public init(isReadOnly: Bool = false, synchronous: Synchronous = .normal, busyTimeout: Duration = .seconds(10)) {
    self.isReadOnly = isReadOnly
    self.synchronous = synchronous
    self.busyTimeout = busyTimeout
  }
}
