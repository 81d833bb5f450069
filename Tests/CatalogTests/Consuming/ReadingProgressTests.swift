import Kafka
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct ReadingProgressTests {
  private static let one = Kafka.TopicPartition(topic: "video-records", partition: 0)
  private static let two = Kafka.TopicPartition(topic: "video-records", partition: 1)
  private let start = ContinuousClock.now

  /// Looks a second apart, each of which finds the log's end and how far it is read; what is told after each.
  private func states(_ seconds: [(end: Int64, read: Int64)]) -> [CatalogConsumer.State] {
    var progress = ReadingProgress()
    return seconds.enumerated().map { second, look in
      progress.positions[Self.one] = look.read
      progress.note([Self.one: 0..<look.end], at: start + .seconds(second))
      return progress.state
    }
  }

  @Test func oneThatAnswersDoesNotMakeUpForOneThatDoesNot() {
    var progress = ReadingProgress()
    #expect(progress.state == .starting)
    progress.move(Self.one, to: 0)
    #expect(progress.state == .catchingUp)
    progress.note([Self.one: 0..<0], at: start)
    #expect(progress.state == .live)
    progress.isStoreAway = true
    // A look at the cluster that succeeds.
    progress.isBrokerAway = false
    #expect(progress.state == .away)
    progress.isStoreAway = false
    #expect(progress.state == .live)
  }

  @Test func aSteadyStreamIsReadAlong() {
    let looks = (0..<60).map { (second: Int64) in (end: (second + 1) * 1000, read: second * 1000) }
    #expect(Set(states(looks).dropFirst()) == [.live])
  }

  @Test func aPauseOfTwoSecondsIsNone() {
    let looks: [(Int64, Int64)] = [(10, 10), (20, 20), (30, 20), (40, 20), (50, 45), (60, 60)]
    #expect(Set(states(looks)) == [.live])
  }

  @Test func whatIsNotReadForThreeSecondsIsABacklogUntilItIsRead() {
    let looks: [(Int64, Int64)] = [(10, 10), (900, 10), (900, 20), (900, 30), (900, 40), (900, 50), (900, 899), (950, 900), (950, 950)]
    let told: [CatalogConsumer.State] = [.live, .live, .live, .live, .catchingUp, .catchingUp, .catchingUp, .live, .live]
    #expect(states(looks) == told)
  }

  @Test func aStreamThatOutrunsTheReadingIsABacklog() {
    let looks = (0..<20).map { (second: Int64) in (end: second * 1000, read: second * 500) }
    #expect(Set(states(looks).dropFirst(8)) == [.catchingUp])
  }

  @Test func afterALongTimeWithoutALookTheNextOneTells() {
    var progress = ReadingProgress()
    progress.positions = [Self.one: 10]
    progress.note([Self.one: 0..<10], at: start)
    #expect(progress.state == .live)
    progress.note([Self.one: 0..<500], at: start + .seconds(60))
    #expect(progress.state == .catchingUp)
    progress.note([Self.one: 0..<10], at: start + .seconds(120))
    #expect(progress.state == .live)
  }

  @Test func aBrokerThatAnswersSlowlyIsNoBacklog() {
    var progress = ReadingProgress()
    for look in 0..<10 {
      progress.positions[Self.one] = Int64(look) * 100
      progress.note([Self.one: 0..<Int64(look) * 100 + 5], at: start + .seconds(look * 7))
      if look > 1 { #expect(progress.state == .live, "\(look)") }
    }
  }

  @Test func endsThatAreNotToldForLongEndTheClaimToBeLive() {
    var progress = ReadingProgress()
    progress.positions[Self.one] = 10
    progress.note([Self.one: 0..<10], at: start)
    progress.noteUnknownEnds(at: start + .seconds(10))
    #expect(progress.state == .live)
    progress.noteUnknownEnds(at: start + .seconds(21))
    #expect(progress.state == .catchingUp)
    progress.note([Self.one: 0..<10], at: start + .seconds(22))
    #expect(progress.state == .live)
  }

  @Test func markersBehindTheLastRecordAndRecordsThatAreGoneAreNotWaitedFor() {
    var progress = ReadingProgress()
    progress.positions = [Self.one: 7, Self.two: 0]
    progress.note([Self.one: 0..<8, Self.two: 500..<500], at: start)
    #expect(progress.state == .catchingUp && progress.behind { _ in true } == 1)
    progress.note(reached: Self.one, 8)
    progress.note([Self.one: 0..<8, Self.two: 500..<500], at: start + .seconds(1))
    #expect(progress.state == .live && progress.behind { _ in true } == 0)
  }

  @Test func aLogThatBeginsAnewIsReadAnew() {
    var progress = ReadingProgress()
    progress.move(Self.one, to: 90)
    progress.note(reached: Self.one, 90)
    progress.move(Self.one, to: 0)
    progress.note([Self.one: 0..<20], at: start)
    #expect(progress.state == .catchingUp && progress.behind { _ in true } == 20)
  }

  @Test func whatIsBehindIsToldOfThoseAskedForAndOnlyWhileItIsKnown() {
    var progress = ReadingProgress()
    #expect(progress.behind { _ in true } == nil)
    progress.positions = [Self.one: 3, Self.two: 1]
    progress.note([Self.one: 0..<10, Self.two: 0..<100], at: start)
    #expect(progress.behind { $0 == Self.one } == 7)
    progress.noteUnknownEnds(at: start + .milliseconds(500))
    #expect(progress.behind { $0 == Self.one } == nil)
    progress.note([Self.one: 0..<10, Self.two: 0..<100], at: start + .seconds(1))
    progress.isBrokerAway = true
    #expect(progress.behind { $0 == Self.one } == nil)
  }
}
