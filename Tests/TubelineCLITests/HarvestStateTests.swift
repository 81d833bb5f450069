import Messages
import Testing

@testable import TubelineCLI

@Suite("Harvest state", .timeLimit(.minutes(1)))
struct HarvestStateTests: HarvestScene {
  @Test func isDoneWhenTheEventAndAllItsRecordsHaveComeInEitherOrder() {
    var recordsFirst = published()
    #expect(accept(&recordsFirst, "a", 0) && accept(&recordsFirst, "b", 1))
    #expect(!recordsFirst.isFinished)
    recordsFirst.receive(completed(2))
    #expect(recordsFirst.isFinished && recordsFirst.isSuccessful)

    var eventFirst = published()
    eventFirst.receive(completed(2))
    #expect(accept(&eventFirst, "a", 0))
    #expect(eventFirst.awaitingRecords == ["r"])
    #expect(accept(&eventFirst, "b", 1))
    #expect(eventFirst.isSuccessful)
  }

  @Test func aRepeatedRecordIsWrittenOnceButAnEntryAtAnotherPositionIsAnother() {
    var state = published()
    #expect(accept(&state, "a", 0))
    #expect(!accept(&state, "a", 0))
    #expect(accept(&state, "a", 1))
    #expect(accept(&state, "a", nil))
    #expect(state.requests[0].written == 3 && state.requests[0].repeated == 1)
  }

  @Test func recordsOfOthersAndOfEndedRequestsAreLeftOut() {
    var state = published()
    #expect(!accept(&state, "a", 0, "other"))
    state.receive(completed(0))
    #expect(state.isSuccessful)
    #expect(!accept(&state, "a", 0))
  }

  @Test func missingRecordsAreFoundWhenEverythingWasRead() {
    var state = published()
    _ = accept(&state, "a", 0)
    state.receive(completed(3))
    #expect(!state.isFinished)
    state.settle(["r"])
    #expect(state.isFinished && !state.isSuccessful)
    #expect(state.requests[0].outcome == .short(missing: 2))
    #expect(HarvestTable.status(state.requests[0]) == "2 records missing")
  }

  @Test func overlappingPagesCountTwiceAndAreStillComplete() {
    var state = published()
    for (video, position) in [("a", 0), ("b", 1), ("b", 1)] { _ = accept(&state, video, position) }
    state.receive(completed(3))
    state.settle(["r"])
    #expect(state.isSuccessful)
    #expect(HarvestTable.status(state.requests[0]) == "1 repeated")
  }

  @Test func aFailedPageLeavesTheRequestShort() {
    var state = published()
    state.receive(event(.pageFailed) { $0.error = .init(code: "attemptsExhausted", message: "503") })
    state.receive(completed(50))
    state.settle(["r"])
    #expect(state.requests[0].outcome == .short(missing: 50))
    #expect(HarvestTable.status(state.requests[0]) == "50 records missing (1 page failed: 503)")
  }

  @Test(arguments: [RequestEvent.Kind.notFound, .failed, .cancelled, .expired, .rejected])
  func otherEndsAreNoSuccess(kind: RequestEvent.Kind) {
    var state = published()
    state.receive(event(kind) { $0.error = .init(code: "c", message: "why") })
    #expect(state.isFinished && !state.isSuccessful)
    #expect(HarvestTable.status(state.requests[0]) == "\(kind.rawValue): why")
  }

  @Test func twoNamesOfOneListAreTold() {
    var state = published(3)
    for (id, list) in [("r0", "UU1"), ("r1", "UU1"), ("r2", "UU2")] {
      state.receive(
        event(.completed, id) {
          $0.totals = Totals(pages: 1, items: 0, units: 3)
          $0.playlistID = list
        })
    }
    #expect(HarvestTable.statuses(state.requests) == ["", "same list as name 0", ""])
  }

  @Test func oneUnitIsOne() {
    #expect(ProgressView.Quota(spent: 1, left: 9_999, untilReset: .zero).text == "1 unit spent, 9,999 left")
    #expect(ProgressView.Quota(spent: 0, left: 1, untilReset: .zero).text == "0 units spent, 1 left")
  }

  @Test func theFirstEndCounts() {
    var state = published()
    state.receive(completed(0))
    state.receive(event(.failed))
    #expect(state.isSuccessful)
  }

  @Test func onlySoManyRequestsAreOpenAtATime() {
    var state = published(20)
    #expect(state.requests.count { $0.isOpen } == HarvestState.mostOpen)
    #expect(state.takeForPublishing().isEmpty)
    state.receive(completed(0, "r0"))
    #expect(state.takeForPublishing() == [8])
  }

  @Test func aBigChannelKeepsOthersWaitingUntilItIsNearlyDone() {
    var state = published(20)
    for index in 0..<8 { state.receive(event(.resolved, "r\(index)") { $0.videoCount = 20_000 }) }
    for index in 0..<6 { state.receive(completed(0, "r\(index)")) }
    #expect(state.takeForPublishing().isEmpty)
    for position in 0..<15_001 { _ = accept(&state, "v", position, "r7") }
    #expect(!state.takeForPublishing().isEmpty)
  }

  @Test func aSingleRequestIsAlwaysPublished() {
    var state = HarvestState([(id: "r", name: "n")], limit: 1_000_000)
    #expect(state.takeForPublishing() == [0])
  }

  @Test func theExpectedNumberFollowsTheChannelTheLimitAndTheEvent() {
    var state = HarvestState([(id: "r", name: "n")], limit: 100)
    _ = state.takeForPublishing()
    #expect(state.expected == nil)
    state.receive(event(.resolved) { $0.videoCount = 1636 })
    #expect(state.expected == 100)
    state.receive(completed(90))
    #expect(state.expected == 90)
  }

  @Test func howMuchIsNewIsNotExpectedButRoomIsKeptForAll() {
    var state = HarvestState([(id: "r", name: "n")], isRefresh: true)
    _ = state.takeForPublishing()
    state.receive(event(.resolved) { $0.videoCount = 20_000 })
    #expect(state.expected == nil)
    #expect(state.requests[0].outstanding == 20_000)
    state.receive(completed(28))
    #expect(state.expected == 28)
  }

  @Test func onlyListsWhoseRecordsAreAllWrittenAreRemembered() {
    var state = published(3)
    for id in ["r0", "r1"] {
      state.receive(
        event(.completed, id) {
          $0.totals = Totals(pages: 1, items: 1, units: 1)
          $0.playlistID = "UU\(id)"
        })
    }
    state.receive(event(.failed, "r2") { $0.playlistID = "UUr2" })
    #expect(state.completedLists.isEmpty)
    #expect(accept(&state, "a", 0, "r1"))
    #expect(state.completedLists == ["UUr1"])
    state.settle(["r0"])
    #expect(state.completedLists == ["UUr1"])
  }

  @Test func aWorkerThatKeepsDyingIsGivenUp() {
    var policy = RestartPolicy()
    let slot = WorkerFleet.Slot(stage: .videos, number: 1)
    #expect(policy.died(slot, .signalled(9), at: .seconds(1)) == .restart(after: .milliseconds(500)))
    #expect(policy.died(slot, .signalled(9), at: .seconds(2)) == .restart(after: .seconds(1)))
    #expect(policy.died(slot, .exited(1), at: .seconds(500)) == .restart(after: .milliseconds(500)))
    for second in 501...503 { _ = policy.died(slot, .exited(1), at: .seconds(second)) }
    #expect(policy.died(slot, .exited(1), at: .seconds(504)) == .giveUp)
    #expect(policy.died(.init(stage: .videos, number: 2), .exited(2), at: .seconds(1)) == .giveUp)
  }

  @Test func theLiveViewFitsItsTerminal() {
    var state = published(30)
    state.receive(
      event(.resolved, "r0") { event in
        event.title = "日本語のとても長いチャンネル名とても長いチャンネル名\u{1B}[2J"
        event.videoCount = 1636
      })
    let view = ProgressView(
      state: state, quota: .init(spent: 40, left: 0, untilReset: .seconds(3600)),
      wait: QuotaWait(bucket: "default", reason: "usedUp", until: nil),
      recordsPerSecond: 12.4, elapsed: .seconds(61))
    for columns in [40, 80, 200] {
      let lines = view.lines(columns: columns, rows: 12, isColoured: false)
      #expect(lines.count < 12)
      #expect(lines.allSatisfy { TextWidth.of($0) < columns }, "\(columns): \(lines)")
      #expect(!lines.joined().contains("\u{1B}"))
    }
    #expect(
      view.sentence.contains("0 of 30 requests done, 40 units spent, 0 left; Waiting: the day's units are used up; it goes on in 1 h"))
  }

  @Test(arguments: ["usedUp", "exhaustedByAPI", "reserve"])
  func theWaitingLineSaysInEightyColumnsThatItGoesOn(reason: String) {
    let view = ProgressView(
      state: published(), quota: .init(spent: 40, left: 0, untilReset: .seconds(23 * 3600 + 59 * 60)),
      wait: QuotaWait(bucket: "default", reason: reason, until: nil), recordsPerSecond: 0, elapsed: .zero)
    let line = view.lines(columns: 80, rows: 24, isColoured: false).last ?? ""
    #expect(line.contains("goes on in 23 h 59 min") && line.hasSuffix("Ctrl-C stops, what is written stays."), "\(line)")
  }

  @Test func aFailureHasAnEmptyBarAndARowIsCutWithItsColour() {
    var state = published()
    state.receive(event(.resolved) { $0.videoCount = 2 })
    _ = accept(&state, "a", 0)
    state.receive(event(.failed))
    let view = ProgressView(state: state, recordsPerSecond: 0, elapsed: .zero)
    #expect(!view.lines(columns: 80, rows: 24, isColoured: false)[0].contains("█"))
    for columns in [20, 30, 34] {
      let row = view.lines(columns: columns, rows: 24, isColoured: true)[0]
      let shown = row.replacing("\u{1B}[31m", with: "").replacing("\u{1B}[0m", with: "")
      #expect(TextWidth.of(shown) < columns && !shown.contains("\u{1B}"), "\(columns): \(row)")
    }
  }

  @Test func whatTheStubSaysHasItsNameOnce() {
    #expect(HarvestPreparation.complaint("youtube-stub: no recordings") == "youtube-stub: no recordings")
    #expect(HarvestPreparation.complaint("Fatal error") == "youtube-stub: Fatal error")
  }

  @Test func logLinesTellOfQuotaAndOfStops() {
    let waiting = WorkerLogLine(
      #"{"time":"t","level":"info","logger":"quota","message":"Waiting for quota","quota.bucket":"default","quota.reason":"usedUp","quota.until":"u"}"#
    )
    #expect(waiting.beginsQuotaWait == QuotaWait(bucket: "default", reason: "usedUp", until: "u"))
    #expect(waiting.beginsQuotaWait?.isUsedUp == true)
    #expect(WorkerLogLine(#"{"level":"info","message":"Quota granted again","quota.bucket":"default"}"#).endsQuotaWait == "default")
    let stop = WorkerLogLine(#"{"level":"error","message":"The stage is stopped until this is mended","fix":"Set the key."}"#)
    #expect(stop.stopReason == "Set the key.")
    let raw = WorkerLogLine("Fatal error: boom")
    #expect(raw.level == .warning && raw.text == "Fatal error: boom")
  }
}
