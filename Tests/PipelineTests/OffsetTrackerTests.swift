import TestSupport
import Testing

@testable import Pipeline

@Suite("OffsetTracker", .timeLimit(.minutes(1)))
struct OffsetTrackerTests {
  private func tracker(_ offsets: Int64...) -> OffsetTracker<String> {
    var tracker = OffsetTracker<String>()
    for offset in offsets { _ = tracker.received(offset) }
    return tracker
  }

  @Test func onlyTheFinishedPrefixLeaves() {
    var tracker = tracker(3, 5, 9)
    let grew1 = tracker.finished(5, "b")
    #expect(!grew1)
    let prefix2 = tracker.takeFinishedPrefix()
    #expect(prefix2.isEmpty)
    let grew3 = tracker.finished(3, "a")
    #expect(grew3)
    let prefix = tracker.takeFinishedPrefix()
    #expect(prefix.map(\.offset) == [3, 5])
    #expect(prefix.map(\.outcome) == ["a", "b"])
    #expect(tracker.count == 1)
    #expect(!tracker.hasFinishedPrefix)
  }

  @Test func theLimitLeavesTheRestForLater() {
    var tracker = tracker(1, 2, 3)
    for offset in [Int64(1), 2, 3] { tracker.finished(offset, "x") }
    let prefix4 = tracker.takeFinishedPrefix(upTo: 2)
    #expect(prefix4.map(\.offset) == [1, 2])
    #expect(tracker.hasFinishedPrefix)
    let prefix5 = tracker.takeFinishedPrefix()
    #expect(prefix5.map(\.offset) == [3])
    #expect(tracker.isEmpty)
  }

  @Test func aRedeliveryIsRefusedEvenAfterAllHasLeft() {
    var tracker = OffsetTracker<Int>()
    for offset in 0..<Int64(200) {
      let isAccepted6 = tracker.received(offset)
      #expect(isAccepted6)
      tracker.finished(offset, 0)
      _ = tracker.takeFinishedPrefix()
    }
    #expect(tracker.isEmpty)
    let isAccepted7 = tracker.received(199)
    #expect(!isAccepted7)
    let isAccepted8 = tracker.received(0)
    #expect(!isAccepted8)
    let isAccepted9 = tracker.received(200)
    #expect(isAccepted9)
  }

  @Test func finishingTwiceOrTheUnknownChangesNothing() {
    var tracker = tracker(1, 2)
    tracker.finished(1, "first")
    tracker.finished(1, "second")
    tracker.finished(7, "stranger")
    let prefix10 = tracker.takeFinishedPrefix()
    #expect(prefix10.map(\.outcome) == ["first"])
    let grew11 = tracker.finished(1, "late")
    #expect(!grew11)
  }

  final class Weight: Sendable {}

  @Test func whatHasLeftIsNotKeptInMemory() {
    var tracker = OffsetTracker<Weight>()
    weak var weight: Weight?
    do {
      let made = Weight()
      weight = made
      _ = tracker.received(1)
      tracker.finished(1, made)
    }
    _ = tracker.received(2)
    #expect(weight != nil)
    _ = tracker.takeFinishedPrefix()
    #expect(weight == nil)
  }

  @Test(arguments: 0..<50) func neverPassesTheLowestUnfinishedOffset(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var tracker = OffsetTracker<Int64>()
    var unfinished: [Int64] = []
    var next: Int64 = 0
    var left: [Int64] = []
    var came: [Int64] = []
    for _ in 0..<2000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        next += Int64.random(in: 1...3, using: &random)
        let isAccepted12 = tracker.received(next)
        #expect(isAccepted12)
        came.append(next)
        unfinished.append(next)
      case 2:
        guard let place = unfinished.indices.randomElement(using: &random) else { continue }
        let offset = unfinished.remove(at: place)
        tracker.finished(offset, offset)
      default:
        let prefix = tracker.takeFinishedPrefix(upTo: Int.random(in: 1...80, using: &random))
        left += prefix.map(\.offset)
        #expect(prefix.allSatisfy { $0.offset == $0.outcome })
        if let last = prefix.last, let lowest = unfinished.min() { #expect(last.offset < lowest) }
      }
      #expect(tracker.count == came.count - left.count)
    }
    #expect(left == Array(came.prefix(left.count)))
  }
}
