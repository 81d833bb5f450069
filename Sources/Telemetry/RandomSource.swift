/// The system's random numbers, as a generator that has a size.
///
/// The thread sanitizer crashes where an empty generator, such as `SystemRandomNumberGenerator`, is passed on as `inout`:
/// it looks at the address of something that has none.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private var drawn: UInt64 = 0

  public init() {}

  public mutating func next() -> UInt64 {
    drawn &+= 1
    return .random(in: .min ... .max)
  }
}
