import Glibc
import JSON
import Messages
import Testing

extension EndToEndTests {
  /// Processes that come, go and die while channels are harvested.
  @Suite(.serialized, .timeLimit(.minutes(4)))
  struct CrashTests {
    @Test(.world(.init(workers: 2)))
    func killedWorkersLoseNothing() async throws {
      let world = try World.current
      let (id, truth) = try await Self.begin(latency: 150)
      for (pages, victims) in [(3, [StageName.playlists]), (8, [.videos]), (16, [.playlists, .videos])] {
        try await Self.pages(pages, of: id)
        for worker in victims.flatMap({ world.workers($0) }) { worker.send(SIGKILL) }
        for stage in victims { try await world.start(stage, 2) }
      }
      try await Self.everythingArrived(id, truth)
    }

    /// Offsets are committed so rarely that each death leaves pages which are listed again.
    @Test(.world(.init(settings: ["WORKER_COMMIT_INTERVAL": "5s"], workers: 1)))
    func everyWorkerDiesWhileOthersJoin() async throws {
      let world = try World.current
      // So slow that many pages are still to come after the last kill.
      let (id, truth) = try await Self.begin(latency: 800)
      let other = try await world.stub.truth("@Microsoft")
      let second = try await world.request(["channel": "@Microsoft"])
      var listed: [String: Int] = [:]
      for pages in [4, 12] {
        try await Self.pages(pages, of: id)
        let dying = world.workers()
        for stage in World.stages { for _ in 0..<2 { _ = try world.start("tubeline-\(stage.rawValue)") } }
        for worker in dying { worker.send(SIGKILL) }
        for request in [id, second] { listed[request] = try Self.pageNumbers(of: request).max() ?? 0 }
        for worker in world.workers() where worker.isRunning { try await worker.joined() }
      }
      try await Self.everythingArrived(id, truth)
      try await Self.everythingArrived(second, other)
      for (request, truth) in [(id, truth), (second, other)] {
        // But for two on their way to Kafka, the pages that may be listed again were seen before the last kill. A second chain would
        // repeat the others, too.
        let pages = try Self.pageNumbers(of: request)
        print("\(pages.count - Set(pages).count) of \(Set(pages).count) pages were listed again")
        let others = pages.filter { $0 > (listed[request] ?? 0) + 2 }
        #expect(others.count == Set(others).count, "a page that was listed twice is not followed twice: \(others)")
        #expect(!others.isEmpty || request == second, "all was listed before the last kill")
        let endings = world.messages(.requestEvents).filter { $0.requestID == request && $0.json?["type"] == "completed" }
        // The last page is handled again when its worker dies before the group, which is being balanced, takes its offset.
        #expect(Set(endings.map { $0.header("ce_id") }).count == 1)
        if World.realServers != nil {
          #expect(endings.count == 1 && pages.count == (truth.listed + 49) / 50)
        }
      }
    }

    /// In the middle of a page, or, when the broker takes most of the time, of a commit.
    @Test(.world(.init(workers: 1)), arguments: [Duration.zero, .milliseconds(800)])
    func terminatedWorkersEndCleanlyAndWorkGoesOn(brokerDelay: Duration) async throws {
      let world = try World.current
      let (id, truth) = try await Self.begin(latency: 100)
      try await Self.pages(3, of: id)
      try world.cluster?.setRoundTripTime(brokerDelay)
      for (index, stage) in World.stages.enumerated() {
        let worker = try #require(world.workers(stage).first)
        worker.send(index == 0 ? SIGINT : SIGTERM)
        #expect(try await worker.ended() == .exited(0), "\(stage)")
        try await world.start(stage)
      }
      try world.cluster?.setRoundTripTime(.zero)
      try await Self.everythingArrived(id, truth)
      if World.realServers == nil {
        let doubled = try await world.records(id, truth.listed).count - truth.listed
        #expect(doubled == 0, "a worker that ends cleanly has committed what it published")
      }
    }

    @Test(.world(.init(workers: 1)))
    func processesComeAndGoInTheMiddle() async throws {
      let world = try World.current
      let (id, truth) = try await Self.begin(latency: 200)
      let other = try await world.stub.truth("@Microsoft")
      let second = try await world.request(["channel": "@Microsoft"])
      try await Self.pages(3, of: id)
      try await world.startAll(3)
      try await Self.pages(12, of: id)
      for stage in World.stages {
        for worker in world.workers(stage).prefix(2) {
          worker.send(SIGTERM)
          #expect(try await worker.ended() == .exited(0))
        }
      }
      try await Self.everythingArrived(id, truth)
      try await Self.everythingArrived(second, other)
    }

    /// The same channels, with one and with four processes of each stage. Each handles one message at a time, so that processes count.
    @Test(
      .world(
        .init(
          settings: ["WORKER_CONCURRENCY": "1"], stub: ["--channels", "16", "--videos", "150", "--latency", "200ms"], partitions: 16,
          workers: 1)))
    func moreProcessesFinishTheSameWorkSooner() async throws {
      let world = try World.current
      let (alone, videos) = try await Self.harvest(16)
      try await world.startAll(3)
      try await world.balanced()
      let (together, same) = try await Self.harvest(16)
      print("16 channels of 150 videos at 200 ms: \(alone) with 1 process of each stage, \(together) with 4; ratio \(alone / together)")
      #expect(videos == same)
      #expect(videos.count >= 16 * 100)
      #expect(together < alone * 0.75)
    }

    private static func harvest(_ channels: Int) async throws -> (Duration, Set<String>) {
      let world = try World.current
      let began = ContinuousClock.now
      var requests: [String] = []
      for number in 0..<channels { requests.append(try await world.request(["channel": .string("@stub-channel-\(number)")])) }
      var items: [String: Int] = [:]
      for request in requests {
        let end = try await world.ending(request)
        #expect(end["type"] == "completed")
        items[request] = end["totals"]?["items"]?.int
      }
      let time = ContinuousClock.now - began
      var videos: Set<String> = []
      for request in requests { videos.formUnion(try await world.records(request, items[request] ?? -1).compactMap(\.key)) }
      return (time, videos)
    }

    /// Makes the API slow and asks for Google.
    private static func begin(latency: Int) async throws -> (String, StubControl.Truth) {
      let world = try World.current
      try await world.stub.fault(["count": -1, "delayMs": .int(latency)])
      return (try await world.request(["channel": "@Google"]), try await world.stub.truth("@Google"))
    }

    private static func pages(_ count: Int, of id: String) async throws {
      try await World.current.wait("\(count) pages") { state in
        (state.messages[.playlistPages] ?? []).lazy.filter { $0.requestID == id }.count >= count ? true : nil
      }
    }

    private static func pageNumbers(of id: String) throws -> [Int] {
      try World.current.messages(.playlistPages).filter { $0.requestID == id }.compactMap { $0.json?["pageNumber"]?.int }
    }

    private static func everythingArrived(_ id: String, _ truth: StubControl.Truth) async throws {
      let world = try World.current
      let end = try await world.ending(id, within: .seconds(150))
      #expect(end["type"] == "completed" && end["totals"]?["items"]?.int == truth.listed, "\(end)")
      let records = try await world.records(id, truth.listed)
      #expect(Set(records.compactMap(\.key)).count == truth.listed)
      // What is published again after a crash says the same.
      #expect(Set(world.log.state.read { $0.endings(id) }.compactMap { $0["totals"]?["items"]?.int }) == [truth.listed])
      #expect(world.deadLetters().isEmpty)
      print("\(records.count - truth.listed) records were published twice")
      if World.realServers != nil { #expect(records.count == truth.listed, "doubled for a read_committed reader") }
    }
  }
}
