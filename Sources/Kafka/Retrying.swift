/// Makes a call again while it fails for a passing reason and time is left; the call gets what is left, or a step of it, in milliseconds.
///
/// A call of a transaction that timed out is resumed by the library when it is made again.
func retrying(for timeout: Duration, step: Duration? = nil, _ call: @Sendable (Int32) async throws -> Void) async throws {
  let clock = ContinuousClock()
  let deadline = clock.now + timeout
  var pause = Duration.milliseconds(50)
  while true {
    do {
      let left = deadline - clock.now
      return try await call(min(left, step ?? left).milliseconds)
    } catch let error as KafkaError where error.isRetriable && !error.isFatal && !error.isAbortable && clock.now + pause < deadline {
      try await clock.sleep(for: pause)
      pause = min(pause * 2, .seconds(1))
    }
  }
}
