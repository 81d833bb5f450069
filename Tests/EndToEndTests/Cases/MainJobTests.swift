import JSON
import Kafka
import Messages
import Testing

extension EndToEndTests {
  /// Channel names become video records, as CONTRACT describes them.
  @Suite(.serialized, .world(.init(workers: 1)), .timeLimit(.minutes(4)))
  struct MainJobTests {
    @Test func plainTextNameBecomesOneRecordForEachListedVideo() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Google")
      let id = try await world.plain("Google")
      let end = try await world.ending(id)
      #expect(end["type"] == "completed")
      #expect(end["totals"]?["items"]?.int == truth.listed)
      #expect(end["totals"]?["pages"]?.int == (truth.listed + 49) / 50)
      let messages = try await world.records(id, truth.listed)
      #expect(messages.count == truth.listed, "no video twice, and none that is not listed")
      let availabilities = messages.compactMap { $0.json?["availability"]?.string }
      #expect(availabilities.filter { $0 == "public" || $0 == "unlisted" }.count == truth.available)
      let pages = world.log.state.read { $0.events[id] ?? [] }.filter { $0["type"] == "page" }
      #expect(pages.reduce(0) { $0 + ($1["available"]?.int ?? 0) } == truth.available)
      #expect(pages.reduce(0) { $0 + ($1["records"]?.int ?? 0) } == truth.listed)
      #expect(pages.count == (truth.listed + 49) / 50)
      #expect(world.log.state.read { $0.endings(id).count } == 1)
    }

    /// One after the other, so that each trace is its own.
    @Test(arguments: ["@Apple", "@hidden-counts", "@日本語チャンネル"])
    func everyMessageHoldsToTheContract(handle: String) async throws {
      let world = try World.current
      let truth = try await world.stub.truth(handle)
      let trace = "0af7651916cd43dd8448eb21" + String(handle.utf8.count + 10_000_000)
      let id = try await world.plain(
        handle, headers: [KafkaHeader("traceparent", "00-\(trace)-b7ad6b7169203331-01"), KafkaHeader("x-mine", "1")])
      #expect(try await world.ending(id)["type"] == "completed")
      _ = try await world.records(id, truth.listed)
      for contract in MessageContract.all {
        let messages = world.messages(contract.topic).filter { $0.requestID == id }
        #expect(!messages.isEmpty, "\(contract.topic)")
        let problems = messages.flatMap { contract.problems($0, trace: trace) }
        #expect(problems.isEmpty, "\(contract.topic): \(problems.prefix(5))")
      }
    }

    @Test func privateAndDeletedEntriesHaveNoPlaceholders() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Apple")
      let (id, _) = try await world.outcome(["channel": "@Apple"])
      let records = try await world.records(id, truth.listed).compactMap(\.json)
      let gone = records.filter { $0["availability"] == "private" || $0["availability"] == "deleted" }
      #expect(Set(gone.compactMap { $0["availability"]?.string }) == ["private", "deleted"], "the stub's Apple has both")
      for record in gone { #expect(record["title"] == nil && record["thumbnails"] == nil && record["description"] == nil, "\(record)") }
      for record in records where record["availability"] == "public" {
        #expect(record["channelId"]?.string == truth.channelID)
        #expect(record["title"]?.string?.isEmpty == false)
      }
      #expect(Set(records.compactMap { $0["position"]?.int }) == Set(0..<truth.listed))
    }

    @Test func redeliveredRequestsKeepTheirIds() async throws {
      let world = try World.current
      let id = try await world.plain("@hidden-counts")
      _ = try await world.ending(id)
      let ids = Topic.all.flatMap { world.messages($0.topic) }.filter { $0.requestID == id }.compactMap { $0.header("ce_id") }
      #expect(Set(ids).count == ids.count, "every message has an id of its own")
    }
  }
}
