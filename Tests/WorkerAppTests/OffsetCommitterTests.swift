import Kafka
import TestSupport
import Testing

@testable import WorkerApp

@Suite("Offset commits", .timeLimit(.minutes(1)))
struct OffsetCommitterTests {
  private struct Refused: Error {}

  private let mine = TopicPartition(topic: "t", partition: 0)
  private let other = TopicPartition(topic: "t", partition: 1)
  private let commits = EventLog<[TopicPartition: Int64]>()

  private func committer(
    interval: Duration = .seconds(3600), _ commit: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) async -> OffsetCommitter {
    let committer = OffsetCommitter(interval: interval, logger: .silent) { [commits] offsets in
      commits.append(offsets)
      try await commit(commits.count)
    }
    await committer.own([mine, other])
    return committer
  }

  @Test func theNewestPositionIsCommittedAfterTheInterval() async {
    let committer = await committer(interval: .milliseconds(1))
    await committer.note([mine: 1])
    await commits.wait(forCount: 1)
    await committer.note([mine: 2])
    await committer.note([mine: 3])
    await commits.wait { $0.last == [mine: 3] }
  }

  @Test func anAcknowledgementOfAPartitionThatHasLeftIsNotCommitted() async throws {
    let committer = await committer()
    await committer.note([mine: 1])
    await committer.forget([mine])
    await committer.note([mine: 2, other: 7])
    try await committer.commitNow()
    #expect(commits.events == [[other: 7]])
  }

  @Test func aFailedCommitKeepsItsPositionsUnlessTheirPartitionsHaveLeft() async throws {
    let gate = Gate()
    let committer = await committer { count in
      guard count == 1 else { return }
      try await gate.pass()
      throw Refused()
    }
    await committer.note([mine: 1, other: 1])
    let first = Task { try await committer.commitNow() }
    await commits.wait(forCount: 1)
    await committer.forget([mine])
    await committer.note([other: 2])
    gate.open()
    await #expect(throws: Refused.self) { try await first.value }
    try await committer.commitNow()
    #expect(commits.events == [[mine: 1, other: 1], [other: 2]])
  }

  @Test func whoeverCommitsWaitsForTheCommitThatIsUnderWay() async throws {
    let gate = Gate()
    let committer = await committer { count in if count == 1 { try await gate.pass() } }
    await committer.note([mine: 1])
    let first = Task { try await committer.commitNow() }
    await commits.wait(forCount: 1)
    let ended = EventLog<Int>()
    let others = (0..<3).map { number in
      Task {
        try await committer.commitNow()
        ended.append(number)
      }
    }
    for _ in 0..<1000 { await Task.yield() }
    #expect(ended.count == 0)
    await committer.note([mine: 2])
    gate.open()
    try await first.value
    for other in others { try await other.value }
    #expect(commits.events == [[mine: 1], [mine: 2]])
  }
}
