import Synchronization
import Testing

/// Gives a test a world of its own, or the tests of a suite one that they share: `World.current`.
///
/// Afterwards everything is ended; a process that ended by itself is a failure, and when anything failed the logs are printed.
struct WorldTrait: SuiteTrait, TestTrait, TestScoping {
  let setup: World.Setup

  func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void) async throws {
    let world = try await World(setup)
    let hasFailed = Atomic(false)
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      hasFailed.store(true, ordering: .relaxed)
      return issue
    }
    let result: Result<Void, any Error>
    do {
      try await World.$running.withValue(world) {
        try await watch.provideScope(for: test, testCase: testCase, performing: body)
      }
      result = .success(())
    } catch {
      hasFailed.store(true, ordering: .relaxed)
      result = .failure(error)
    }
    let logs = world.summary(lines: 40)
    // Not cancelled with the test, whose time may be over.
    let dead = try await Task { try await world.close() }.value
    for process in dead { Issue.record("\(process.name) ended by itself\n\(process.tail(30))") }
    if hasFailed.load(ordering: .relaxed) || !dead.isEmpty { print("=== logs of \(test.name)\n\(logs)") }
    try result.get()
  }

  // Once for a suite, not again for each of its tests.
  func scopeProvider(for test: Test, testCase: Test.Case?) -> WorldTrait? { test.isSuite || testCase != nil ? self : nil }
}

extension World {
  @TaskLocal fileprivate static var running: World?

  /// The world of the running test.
  static var current: World {
    get throws {
      guard let running else { throw Unmet("this test has no world") }
      return running
    }
  }
}

extension Trait where Self == WorldTrait {
  static func world(_ setup: World.Setup = World.Setup()) -> WorldTrait { WorldTrait(setup: setup) }
}
