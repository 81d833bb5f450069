import JSON
import Messages
import Processes
import Testing

extension EndToEndTests {
  /// Everything that can go wrong, while channels are harvested; `make chaos` runs it.
  @Suite(.serialized, .enabled(if: ChaosPlan.isWanted, "runs with make chaos"), .timeLimit(.minutes(30)))
  struct ChaosTests {
    private static let plan = ChaosPlan()
    private static let settings = ["RETRY_DELAY": "300ms", "BREAKER_DELAY": "500ms", "KAFKA_SESSION_TIMEOUT_MS": "6000"]
    private static let stub = [
      "--channels", "\(plan.channels)", "--videos", "\(plan.videos)", "--quota-default", "\(Chaos.dailyUnits)", "--latency", "250ms",
    ]

    @Test(.needsRedis, .world(.init(settings: settings, stub: stub)))
    func whateverHappensNothingIsLost() async throws {
      let world = try World.current
      var plan = Self.plan
      print("chaos: seed \(plan.seed) (CHAOS_SEED), \(plan.seconds) s, \(plan.channels) channels of about \(plan.videos) videos")
      let truth = try await Truth.read(world, channels: plan.channels)
      let chaos = try await Chaos(world)
      var requests: [String: String] = [:]
      var waiting = truth.videos.keys.sorted()[...]
      let clock = ContinuousClock()
      let start = clock.now
      let length = Duration.seconds(plan.seconds)
      while clock.now - start < length {
        let elapsed = (clock.now - start) / length
        // Spread over the whole time, so that every action finds work to disturb.
        while let handle = waiting.first, Double(requests.count) <= elapsed * Double(truth.videos.count) {
          requests[try await world.request(["channel": .string(handle)])] = handle
          waiting.removeFirst()
        }
        let (action, pause) = plan.next(isReal: World.realServers != nil, elapsed: elapsed)
        try await chaos.perform(action)
        try await Task.sleep(for: pause)
      }
      for handle in waiting { requests[try await world.request(["channel": .string(handle)])] = handle }
      try world.cluster?.setRoundTripTime(.zero)
      try await world.stub.clearFaults()
      for request in requests.keys { _ = try await world.ending(request, within: .seconds(300)) }
      try await check(world, chaos, truth, requests)
    }

    private func check(_ world: World, _ chaos: Chaos, _ truth: Truth, _ requests: [String: String]) async throws {
      var doubled = 0
      for (request, handle) in requests {
        let listed = try #require(truth.videos[handle])
        let records = try await world.records(request, listed.count)
        #expect(Set(records.compactMap(\.key)) == listed, "\(handle)")
        doubled += records.count - listed.count
        let endings = world.log.state.read { $0.endings(request) }
        #expect(endings.allSatisfy { $0["type"] == "completed" && $0["totals"]?["items"]?.int == listed.count }, "\(handle): \(endings)")
        if World.realServers != nil { #expect(endings.count == 1) }
      }
      if World.realServers != nil { #expect(doubled == 0, "doubled for a read_committed reader") }
      #expect(world.deadLetters().isEmpty, "\(world.deadLetters().map { $0.header("tubeline-error-message") ?? "" })")
      let counts = chaos.counts.read { $0 }
      #expect(counts.exits.allSatisfy { $0 == .exited(0) }, "SIGTERM ends a worker cleanly: \(counts.exits)")
      let (units, spent) = (try await chaos.units(), try await chaos.spent())
      #expect(units <= Chaos.dailyUnits && spent <= Chaos.dailyUnits && spent >= units, "\(spent) by the ledger, \(units) by the API")
      let wasted = units - truth.units
      // A killed worker repeats the calls whose results it had not delivered; a fault costs its own call, and what the client tries again.
      let explained = (counts.killed + counts.actions["restartStore", default: 0] + 1) * 16 * 2 + counts.faults * 4
      print(
        """
        chaos: \(counts.actions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        chaos: \(truth.videos.values.reduce(0) { $0 + $1.count }) videos, \(doubled) records doubled, \(units) units of \(truth.units) \
        needed: \(wasted) wasted (at most \(explained) explained), \(spent) by the ledger
        """)
      #expect(wasted <= explained)
    }
  }

  /// What the stub holds, asked of its API before anything is disturbed.
  struct Truth: Sendable {
    /// By handle.
    let videos: [String: Set<String>]
    /// The fewest units that these channels can cost.
    let units: Int

    static func read(_ world: World, channels: Int) async throws -> Truth {
      var videos: [String: Set<String>] = [:]
      var units = 0
      for handle in ["@Apple", "@Google", "@Microsoft"] + (0..<channels).map({ "@stub-channel-\($0)" }) {
        let playlist = try await world.stub.truth(handle).uploadsPlaylistID
        var ids: Set<String> = []
        var token: String?
        repeat {
          let page = try await world.stub.api(
            "playlistItems?part=contentDetails&playlistId=\(playlist)&maxResults=50" + (token.map { "&pageToken=\($0)" } ?? ""))
          for item in page["items"]?.elements ?? [] { if let id = item["contentDetails"]?["videoId"]?.string { ids.insert(id) } }
          token = page["nextPageToken"]?.string
          units += 2
        } while token != nil
        units += 1
        videos[handle] = ids
      }
      try await world.stub.send("POST", "reset")
      return Truth(videos: videos, units: units)
    }
  }
}
