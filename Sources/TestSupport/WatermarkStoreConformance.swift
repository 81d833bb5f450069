public import Quota

/// What every store of watermarks does: `@Test(arguments: WatermarkStoreConformance.cases)`.
public enum WatermarkStoreConformance {
  public struct Case: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable (WatermarkScene) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (WatermarkScene) async throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Runs on an empty store; throws a `ConformanceFailure` that says what differs.
    public func run(_ environment: WatermarkStoreEnvironment) async throws {
      try await environment.setTime(WatermarkScene.noon)
      let scene = WatermarkScene(environment: environment, store: try await environment.makeStore("scope"))
      try await body(scene)
      await scene.store.close()
    }
  }

  public static let cases: [Case] = [
    Case("tells its time, and nothing of a list it does not know") { scene in
      try scene.equal(try await scene.store.read("UUa"), WatermarkReading(now: WatermarkScene.noon, watermark: nil))
    },
    Case("keeps what a completed listing knew, in its order") { scene in
      try await scene.advance(-500, ["c", "a", "b"], unavailable: ["a"])
      let expected = Watermark(
        ids: ["c", "a", "b"], unavailable: ["a"], startedAt: WatermarkScene.noon - 500, completedAt: WatermarkScene.noon, fullPassAt: nil)
      try scene.equal(try await scene.store.read("UUa").watermark, expected)
      try scene.equal(try await scene.store.read("UUb").watermark, nil)
    },
    Case("keeps an empty list") { scene in
      try await scene.advance(0, [], full: true)
      try scene.equal(try await scene.ids(), [])
      try scene.equal(try await scene.fullPass(), 0)
    },
    Case("changes nothing when the same is told again") { scene in
      try await scene.advance(-500, ["a"], full: true)
      let before = try await scene.store.read("UUa").watermark
      try await scene.at(60_000)
      try await scene.advance(-500, ["a"], full: true)
      try scene.equal(try await scene.store.read("UUa").watermark, before)
    },
    Case("never moves back, but learns of an older full pass") { scene in
      try await scene.advance(-100, ["b", "a"])
      try await scene.advance(-900, ["a"], full: true)
      try scene.equal(try await scene.ids(), ["b", "a"])
      try scene.equal(try await scene.fullPass(), -900)
      try await scene.advance(-50, ["c", "b"])
      try scene.equal(try await scene.ids(), ["c", "b"])
      try scene.equal(try await scene.fullPass(), -900, "a refresh is no full pass")
      try await scene.advance(-950, [], full: true)
      try scene.equal(try await scene.fullPass(), -900)
    },
    Case("does not take listings that left records out") { scene in
      try await scene.advance(-900, ["a"])
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon - 500)
      for started in [-800, -500] { try await scene.advance(started, ["x"], full: true) }
      try scene.equal(try await scene.ids(), ["a"])
      try scene.equal(try await scene.fullPass(), nil)
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon - 700)
      try await scene.advance(-600, ["x"])
      try scene.equal(try await scene.ids(), ["a"], "an older bar does not lift a later one")
      try await scene.advance(-499, ["b"])
      try scene.equal(try await scene.ids(), ["b"])
    },
    Case("takes back a listing that is found to have left records out") { scene in
      try await scene.advance(-500, ["a"], full: true)
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon - 900)
      try scene.equal(try await scene.ids(), ["a"], "a bar of an earlier listing")
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon - 500)
      try scene.equal(try await scene.store.read("UUa").watermark, nil)
      try await scene.advance(-400, ["b"])
      try scene.equal(try await scene.ids(), ["b"])
      try scene.equal(try await scene.fullPass(), nil)
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon - 500)
      try scene.equal(try await scene.ids(), ["b"], "a bar that is told again")
    },
    Case("bars a list that it does not know") { scene in
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon)
      try await scene.advance(0, ["a"])
      try scene.equal(try await scene.store.read("UUa").watermark, nil)
      try await scene.at(1000)
      try await scene.advance(1, ["a"])
      try scene.equal(try await scene.ids(), ["a"])
    },
    Case("forgets what may be kept no longer") { scene in
      try await scene.advance(0, ["a"], full: true)
      try await scene.at(Watermark.lifetime - 1)
      try scene.equal(try await scene.ids(), ["a"])
      try await scene.at(Watermark.lifetime)
      try scene.equal(try await scene.store.read("UUa").watermark, nil)
    },
    Case("does not hold on to times of a clock that was set back") { scene in
      try await scene.at(86_400_000)
      try await scene.advance(86_400_000, ["a"], full: true)
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon + 86_400_000)
      try await scene.at(1000)
      try await scene.advance(900, ["b"], full: true)
      try scene.equal(try await scene.ids(), ["b"])
      try scene.equal(try await scene.fullPass(), 900)
      try await scene.store.bar("UUa", startedUntil: WatermarkScene.noon + 950)
      try await scene.advance(940, ["c"])
      try await scene.advance(960, ["d"])
      try scene.equal(try await scene.ids(), ["d"])
    },
    Case("is shared by stores of one scope, and by no others") { scene in
      let same = try await scene.environment.makeStore("scope")
      let other = try await scene.environment.makeStore("other")
      try await scene.advance(0, ["a"])
      try scene.equal(try await same.read("UUa").watermark?.ids, ["a"])
      if !scene.environment.hasOneScope { try scene.equal(try await other.read("UUa").watermark, nil) }
    },
    Case("is tried without touching a watermark") { scene in
      try await scene.advance(0, ["a"])
      let before = try await scene.store.read("UUa")
      for _ in 0..<2 { try await scene.store.probe() }
      try scene.equal(try await scene.store.read("UUa"), before)
      try scene.equal(try await scene.store.read("probe").watermark, nil)
    },
    Case("ends with closed") { scene in
      await scene.store.close()
      do throws(QuotaStoreError) { _ = try await scene.store.read("UUa") } catch {
        return try scene.equal(error.code, .closed)
      }
      throw ConformanceFailure(description: "a closed store answered")
    },
  ]
}

/// Watermarks under test: opens stores on the same data, and moves their clock.
public struct WatermarkStoreEnvironment: Sendable {
  public let makeStore: @Sendable (_ scope: String) async throws -> any WatermarkStore
  /// Milliseconds since 1970.
  public let setTime: @Sendable (Int) async throws -> Void
  public let hasOneScope: Bool

  public init(
    hasOneScope: Bool = false, makeStore: @escaping @Sendable (String) async throws -> any WatermarkStore,
    setTime: @escaping @Sendable (Int) async throws -> Void
  ) {
    self.hasOneScope = hasOneScope
    self.makeStore = makeStore
    self.setTime = setTime
  }

  public static func memory() -> WatermarkStoreEnvironment {
    let time = ManualTime()
    let store = MemoryWatermarkStore(time: time.hostTime)
    return WatermarkStoreEnvironment(hasOneScope: true, makeStore: { _ in store }, setTime: { time.set($0) })
  }
}

/// One case at work; times are milliseconds from noon.
public struct WatermarkScene: Sendable {
  let environment: WatermarkStoreEnvironment
  let store: any WatermarkStore

  static let noon = QuotaStoreScene.noon

  func at(_ time: Int) async throws { try await environment.setTime(Self.noon + time) }

  func advance(_ started: Int, _ ids: [String], unavailable: Set<String> = [], full: Bool = false) async throws {
    try await store.advance(
      "UUa", to: CompletedListing(ids: ids, unavailable: unavailable, startedAt: Self.noon + started, isFullPass: full))
  }

  func ids() async throws -> [String]? { try await store.read("UUa").watermark?.ids }
  func fullPass() async throws -> Int? { try await store.read("UUa").watermark?.fullPassAt.map { $0 - Self.noon } }

  func equal<Value: Equatable>(_ value: Value, _ expected: Value, _ why: String = "", line: Int = #line) throws {
    guard value == expected else { throw ConformanceFailure(description: "line \(line): \(value) is not \(expected) \(why)") }
  }
}
