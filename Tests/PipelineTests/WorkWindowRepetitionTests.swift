import FoundationEssentials
import Messages
import Testing

@testable import Pipeline

@Suite("WorkWindow: repetitions", .timeLimit(.minutes(1)))
struct WorkWindowRepetitionTests {
  private let a = TopicPartition(topic: "t", partition: 0)
  private let b = TopicPartition(topic: "t", partition: 1)

  private func message(_ source: TopicPartition, _ offset: Int64) -> ReceivedMessage {
    ReceivedMessage(source: source, offset: offset, key: nil, value: nil)
  }

  private func finishNext(_ window: inout WorkWindow) {
    guard let item = window.start(at: WorkWindowTests.now) else { return }
    window.finish(item.id, with: [])
  }

  @Test func aRepetitionIsPassedOverAndLeavesInItsTurn() throws {
    var window = WorkWindow(concurrency: 4, window: 8, skipsRepetition: { _ in true })
    window.open([a, b])
    let original = step(a, 0, "x/list/2")
    let repetition = step(a, 1, "x/list/2")
    let repeated = [original, repetition].map { window.receive($0) }
    #expect(repeated == [.work, .repetition])
    #expect(!window.hasFinished)
    finishNext(&window)
    #expect(window.takeFinished(upTo: 64).positions[a]?.offset == 2)
  }

  @Test func ofATopicThatOthersWriteOnlyOurOwnRepetitionsArePassedOver() {
    var window = WorkWindow(concurrency: 4, window: 8, skipsRepetition: { $0.headers[HeaderName.id]?.hasPrefix("ours") == true })
    window.open([a])
    let received = ["theirs/1", "theirs/1", "ours/1", "ours/1"].enumerated().map { window.receive(step(a, Int64($0), $1)) }
    #expect(received == [.work, .work, .work, .repetition])
  }

  @Test func onlyWhatTheSameAssignmentHasSeenIsARepetition() {
    var window = WorkWindow(concurrency: 4, window: 8, skipsRepetition: { _ in true })
    window.open([a, b])
    let messages = [
      step(a, 0, "x/list/2"), step(b, 0, "x/list/2"), step(a, 1, "x/list/3"), step(a, 2, "x/list/2", attempt: "1"), message(a, 3),
      message(a, 4),
    ]
    let repeated = messages.map { window.receive($0) }
    #expect(!repeated.contains(.repetition))
    _ = window.drop([a])
    window.open([a])
    let afterwards = window.receive(step(a, 0, "x/list/2"))
    #expect(afterwards == .work)
  }

  @Test func whatWasHandledUnderAnEarlierAssignmentIsOnlyRemembered() {
    var window = WorkWindow(concurrency: 4, window: 8, skipsRepetition: { _ in true })
    window.assign([a])
    window.begin(a, at: 2)
    let received = [step(a, 0, "x/list/2"), step(a, 1, "x/list/3"), step(a, 2, "x/list/2"), step(a, 3, "x/list/4")].map {
      window.receive($0)
    }
    #expect(received == [.past, .past, .repetition, .work])
    #expect(window.held == 2)
    finishNext(&window)
    #expect(window.takeFinished(upTo: 64).positions[a]?.offset == 4)
  }

  @Test func nothingIsTakenFromAPartitionBeforeItIsRead() {
    var window = WorkWindow(concurrency: 4, window: 8)
    window.assign([a, b])
    window.begin(b, at: 0)
    #expect(window.turn() == [b])
  }

  @Test func aLogThatBeganAnewBelowTheCommittedOffsetIsHandled() {
    var window = WorkWindow(concurrency: 4, window: 8)
    window.assign([a])
    window.begin(a, at: 100)
    window.gap(a)
    let received = [0, 1].map { window.receive(message(a, $0)) }
    #expect(received == [.work, .work])
  }

  @Test func idsAreForgottenInTheOrderTheyCame() {
    var recent = RecentIDs()
    let first = (0..<1025).map { recent.notes(step(a, Int64($0), "x/\($0)")) }
    #expect(!first.contains(true))
    let again = [1, 0].map { recent.notes(step(a, 2000 + Int64($0), "x/\($0)")) }
    #expect(again == [true, false])
  }

  private func step(_ partition: TopicPartition, _ offset: Int64, _ id: String, attempt: String? = nil) -> ReceivedMessage {
    let retry = attempt.map { [MessageHeader(HeaderName.attempt, $0)] } ?? []
    return ReceivedMessage(
      source: partition, offset: offset, key: nil, value: [],
      headers: [MessageHeader(HeaderName.source, "tubeline/playlists"), MessageHeader(HeaderName.id, id)] + retry)
  }
}
