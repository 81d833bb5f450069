import Glibc

/// Where a store without a clock of its own reads the time: milliseconds since 1970.
public struct HostTime: Sendable {
  private let read: @Sendable () -> Int

  public init(_ read: @escaping @Sendable () -> Int) { self.read = read }

  public func now() -> Int { read() }

  public static let system = HostTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
