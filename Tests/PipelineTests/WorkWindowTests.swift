import FoundationEssentials
import Messages
import TestSupport
import Testing

@testable import Pipeline

@Suite("WorkWindow", .timeLimit(.minutes(1)))
struct WorkWindowTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  // A retry topic: elsewhere a not-before header is a stranger's.
  private let a = TopicPartition(topic: "t-retry", partition: 0)
  private let b = TopicPartition(topic: "t-retry", partition: 1)

  private func message(_ source: TopicPartition, _ offset: Int64, notBefore: Double? = nil) -> ReceivedMessage {
    let headers = notBefore.map { [MessageHeader("tubeline-not-before", Self.time($0))] } ?? []
    return ReceivedMessage(source: source, offset: offset, key: nil, value: nil, headers: headers)
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(seconds)
    return "2027-01-15T08:00:\(whole < 10 ? "0" : "")\(whole)Z"
  }

  private func finishNext(_ window: inout WorkWindow) {
    guard let item = window.start(at: Self.now) else { return }
    window.finish(item.id, with: [])
  }

  private func window(_ concurrency: Int = 2, _ size: Int = 8, _ partitions: TopicPartition...) -> WorkWindow {
    var window = WorkWindow(concurrency: concurrency, window: size)
    window.open(partitions)
    return window
  }

  @Test(arguments: 0..<30) func theWindowIsNeverExceeded(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let partitions = (0..<Int32(5)).map { TopicPartition(topic: "t", partition: $0) }
    let size = Int.random(in: 1...40, using: &random)
    let concurrency = Int.random(in: 1...10, using: &random)
    var window = WorkWindow(concurrency: concurrency, window: size)
    window.open(partitions)
    var next: [TopicPartition: Int64] = [:]
    var delivering: FinishedBatch?
    for _ in 0..<500 {
      for partition in window.turn() {
        let room = window.room(for: partition)
        #expect(window.held + room <= size)
        for _ in 0..<Int.random(in: 0...room, using: &random) {
          window.receive(message(partition, next[partition, default: 0]))
          next[partition, default: 0] += 1
        }
      }
      #expect(window.held <= size)
      while Bool.random(using: &random), window.start(at: Self.now) != nil {}
      #expect(window.running.count <= concurrency)
      for id in window.running.keys.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) { window.finish(id, with: []) }
      if let batch = delivering {
        window.delivered(batch)
        delivering = nil
      } else if window.hasFinished {
        delivering = window.takeFinished(upTo: 64)
      }
    }
  }

  @Test func onePartitionDoesNotTakeTheWholeWindow() {
    var window = window(2, 8, a, b)
    #expect([a, b].map { window.room(for: $0) } == [4, 4])
    for offset in 0..<Int64(4) { window.receive(message(a, offset)) }
    #expect([a, b].map { window.room(for: $0) } == [0, 4])
  }

  @Test func twoWaitingPartitionsOfThreeLeaveRoomForTheThird() {
    let c = TopicPartition(topic: "t", partition: 2)
    var window = window(16, 64, a, b, c)
    for partition in [a, b] {
      for offset in 0..<Int64(window.room(for: partition)) { window.receive(message(partition, offset)) }
    }
    #expect(window.room(for: a) == 0)
    #expect(window.room(for: c) >= 1)
  }

  @Test func manyPartitionsComeInTurn() {
    let partitions = (0..<Int32(16)).map { TopicPartition(topic: "t", partition: $0) }
    var window = WorkWindow(concurrency: 1, window: 4)
    window.open(partitions)
    var seen = Set<TopicPartition>()
    for _ in 0..<16 {
      guard let first = window.turn().first else { break }
      #expect(window.room(for: first) >= 1)
      seen.insert(first)
    }
    #expect(seen == Set(partitions))
  }

  @Test func delayedMessagesStartInTheOrderOfTheirTime() {
    var window = window(8, 64, a)
    for (offset, seconds) in [(0, 5.0), (1, 3.0), (2, 9.0), (3, 3.0)] { window.receive(message(a, Int64(offset), notBefore: seconds)) }
    #expect(window.delayedCount == 4)
    let started2 = window.start(at: Self.now)
    #expect(started2 == nil)
    #expect(window.nextDue == Self.now.addingTimeInterval(3))
    let started3 = window.start(at: Self.now.addingTimeInterval(4))
    #expect(started3?.message.offset == 1)
    let started4 = window.start(at: Self.now.addingTimeInterval(4))
    #expect(started4?.message.offset == 3)
    let started5 = window.start(at: Self.now.addingTimeInterval(4))
    #expect(started5 == nil)
    let started6 = window.start(at: Self.now.addingTimeInterval(10))
    #expect(started6?.message.offset == 0)
    let started7 = window.start(at: Self.now.addingTimeInterval(10))
    #expect(started7?.message.offset == 2)
  }

  @Test func aFarNotBeforeIsCutToTheLatest() {
    var window = window(1, 8, a)
    let headers = [MessageHeader("tubeline-not-before", "9999-01-01T00:00:00Z")]
    let latest = Self.now.addingTimeInterval(600)
    window.receive(ReceivedMessage(source: a, offset: 0, key: nil, value: nil, headers: headers), latest: latest)
    #expect(window.nextDue == latest)
  }

  @Test func resultsOfAnOldEpochAreDropped() throws {
    var window = window(2, 8, a)
    window.receive(message(a, 0))
    let oldItem = window.start(at: Self.now)
    let old = try #require(oldItem)
    let dropped8 = window.drop([a])
    #expect(dropped8 == [old.id])
    window.open([a])
    window.receive(message(a, 0))
    window.finish(old.id, with: [])
    #expect(!window.hasFinished)
    let newItem = window.start(at: Self.now)
    let new = try #require(newItem)
    window.finish(new.id, with: [])
    #expect(window.hasFinished)
  }

  @Test func aTakenBatchLosesThePartitionsThatWereLost() throws {
    var window = window(2, 8, a, b)
    for partition in [a, b] {
      window.receive(message(partition, 0))
      finishNext(&window)
    }
    let batch = window.takeFinished(upTo: 64)
    #expect(batch.positions.count == 2)
    _ = window.drop([a])
    window.open([a])
    let current = window.current(batch)
    #expect(current.handled.map(\.message.source) == [b])
    #expect(Array(current.positions.keys) == [b])
  }

  @Test func revokedPartitionsStartNothingAndPostponeNothing() throws {
    var window = window(1, 8, a)
    for offset in 0..<Int64(3) { window.receive(message(a, offset)) }
    let runningItem = window.start(at: Self.now)
    let running = try #require(runningItem)
    window.revoke([a])
    #expect(window.room(for: a) == 0)
    let revoked = window.turn()
    #expect(revoked.isEmpty)
    window.receive(message(a, 3))
    window.postpone(running.id, until: Self.now, failures: 1)
    let started10 = window.start(at: Self.now)
    #expect(started10 == nil)
    #expect(!window.isBusy(a))
  }

  @Test func heldMessagesCountUntilTheyAreDelivered() throws {
    var window = window(1, 1, a)
    window.receive(message(a, 0))
    finishNext(&window)
    let batch = window.takeFinished(upTo: 64)
    #expect(window.held == 1)
    #expect(window.room(for: a) == 0)
    #expect(window.isBusy(a))
    window.delivered(batch)
    #expect(window.held == 0)
    #expect(window.room(for: a) == 1)
  }

  @Test func afterAGapALogThatBeganAnewIsReadFromItsBeginning() throws {
    var window = window(4, 8, a)
    window.receive(message(a, 90))
    let oldItem = window.start(at: Self.now)
    let old = try #require(oldItem)
    window.receive(message(a, 0))
    let started13 = window.start(at: Self.now)
    #expect(started13 == nil, "without a gap it is a redelivery")
    window.gap(a)
    window.receive(message(a, 0))
    let newItem = window.start(at: Self.now)
    let new = try #require(newItem)
    window.finish(old.id, with: [])
    window.finish(new.id, with: [])
    let batch14 = window.takeFinished(upTo: 64)
    #expect(batch14.positions[a]?.offset == 1)
  }

  @Test func afterAGapTheHeldWorkStaysWhenTheLogGoesOnHigher() throws {
    var window = window(4, 8, a)
    window.receive(message(a, 5))
    let heldItem = window.start(at: Self.now)
    let held = try #require(heldItem)
    window.gap(a)
    window.receive(message(a, 90))
    window.finish(held.id, with: [])
    let batch15 = window.takeFinished(upTo: 64)
    #expect(batch15.positions[a]?.offset == 6)
  }

  @Test func aMessageThatWaitsIsPutBehindThoseThatAreDone() {
    var window = window(4, 8, a)
    for (offset, seconds) in [(0, 50.0), (1, 0.0), (2, 1.0)] { window.receive(message(a, Int64(offset), notBefore: seconds)) }
    let early = window.stepAside(at: Self.now, stage: .channels)
    #expect(early == 0, "nothing has to wait for it yet")
    finishNext(&window)
    let moved = window.stepAside(at: Self.now, stage: .channels)
    #expect(moved == 1)
    let batch = window.takeFinished(upTo: 64)
    #expect(batch.positions[a]?.offset == 2)
    let outputs = batch.handled.flatMap(\.outputs)
    #expect(outputs.map(\.topic) == [.retry(.channels)])
    #expect(outputs.first?.headers["tubeline-requeued"] == "1")
    #expect(outputs.first?.headers["tubeline-not-before"] == Self.time(50))
    #expect(window.delayedCount == 1, "what is due in a moment stays")
  }

  @Test func messagesThatWaitDoNotFillTheWindow() {
    var window = window(1, 4, a)
    for offset in 0..<Int64(4) { window.receive(message(a, offset, notBefore: 55)) }
    #expect(window.room(for: a) == 0)
    let moved = window.stepAside(at: Self.now, stage: .channels)
    #expect(moved == 4)
    let batch = window.takeFinished(upTo: 64)
    #expect(batch.positions[a]?.offset == 4)
    window.delivered(batch)
    for offset in 4..<Int64(8) { window.receive(message(a, offset, notBefore: 55)) }
    let again = window.stepAside(at: Self.now, stage: .channels)
    #expect(again == 0, "not again at once")
  }

  @Test func onlyRetryTopicsAreRearranged() throws {
    let main = TopicPartition(topic: "t", partition: 0)
    var window = window(2, 8, main)
    for offset in 0..<Int64(2) { window.receive(message(main, offset)) }
    let started = window.start(at: Self.now)
    let item = try #require(started)
    window.postpone(item.id, until: Self.now.addingTimeInterval(100), failures: 1)
    finishNext(&window)
    let moved = window.stepAside(at: Self.now, stage: .videos)
    #expect(moved == 0)
    #expect(!window.hasFinished)
  }

  @Test func whatIsHastenedNeedNotWaitForItsTime() throws {
    var window = window(1, 8, a)
    for (offset, seconds) in [(0, 50.0), (1, 40.0), (2, 30.0)] { window.receive(message(a, Int64(offset), notBefore: seconds)) }
    window.hasten { $0.offset == 1 }
    let first = window.start(at: Self.now)
    #expect(first?.message.offset == 1)
    #expect(window.delayedCount == 2)
  }
}

extension WorkWindow {
  /// Assigns partitions that are read from their beginning.
  mutating func open(_ partitions: [TopicPartition]) {
    assign(partitions)
    for partition in partitions { begin(partition, at: 0) }
  }
}
