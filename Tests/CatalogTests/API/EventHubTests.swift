import Messages
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct EventHubTests {
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func everybodyHearsEverything() async throws {
    let hub = EventHub()
    let streams = [try #require(hub.listen()), try #require(hub.listen())]
    hub.send("sample", Array("{}".utf8))
    hub.close()
    for stream in streams {
      var heard: [String] = []
      for await message in stream { heard.append(Self.text(message)) }
      #expect(heard == ["retry: 3000\n\n", "event: sample\ndata: {}\n\n"])
    }
    #expect(hub.listen() == nil)
  }

  @Test func aSlowReaderIsToldThatItMissedSomething() async throws {
    let hub = EventHub()
    var stream = try #require(hub.listen()).makeAsyncIterator()
    for number in 0..<1000 { hub.send("n", Array("\(number)".utf8)) }
    var heard = 0
    // What had room.
    while heard < 256, await stream.next() != nil { heard += 1 }
    hub.send("n", Array("late".utf8))
    #expect(await stream.next().map(Self.text) == "event: lost\ndata: {}\n\n")
    #expect(await stream.next().map(Self.text) == "event: n\ndata: late\n\n")
  }

  @Test func manyChangesAreToldOneAfterTheOther() async throws {
    let hub = EventHub()
    var changes = CatalogChanges()
    changes.requests = Set((0..<500).map { ExactText("r\($0)") })
    await hub.publish(changes)
    var told: [[String]] = []
    repeat { told.append(hub.takeChanges(most: 200).requests) } while told.last?.isEmpty == false
    #expect(told.map(\.count) == [200, 200, 100, 0] && Set(told.joined().map(ExactText.init)) == changes.requests)
  }

  @Test func idsThatUnicodeHoldsToBeEqualAreTwo() async throws {
    let hub = EventHub()
    var changes = CatalogChanges()
    changes.requests = [ExactText("caf\u{E9}"), ExactText("cafe\u{301}")]
    await hub.publish(changes)
    #expect(hub.takeChanges(most: .max).requests.count == 2)
  }

  @Test func tooManyChangesAreReadAgain() async throws {
    let hub = EventHub()
    var stream = try #require(hub.listen()).makeAsyncIterator()
    _ = await stream.next()
    var changes = CatalogChanges()
    changes.requests = Set((0...10_000).map { ExactText("r\($0)") })
    await hub.publish(changes)
    #expect(hub.takeChanges(most: .max).requests.isEmpty)
    hub.beat()
    #expect(await stream.next().map(Self.text) == "event: lost\ndata: {}\n\n")
  }

  @Test func readersThatLeaveMakeRoom() async throws {
    let hub = EventHub()
    var streams: [AsyncStream<[UInt8]>] = []
    while let stream = hub.listen() { streams.append(stream) }
    #expect(streams.count == EventHub.most)
    let reader = Task { [stream = streams[0]] in for await _ in stream {} }
    reader.cancel()
    await reader.value
    #expect(hub.count == EventHub.most - 1 && hub.listen() != nil)
  }
}
