import Foundation
import JSON
import Messages
import TestSupport

/// How much chaos, and of which kind: the same seed draws the same actions in the same order.
struct ChaosPlan: Sendable {
  enum Action: Sendable, Equatable {
    case kill(StageName)
    case terminate(StageName)
    case add(StageName)
    case remove(StageName)
    /// The quota store goes away for so long, and comes back with its data.
    case restartStore(milliseconds: Int)
    case loseStore
    case faults(kind: Int, method: String, count: Int)
    case slowness(milliseconds: Int, count: Int)
    /// Answers of the broker to a kind of request, by Kafka's numbers; -195 cuts the connection.
    case brokerErrors(request: Int16, codes: [Int32])
    case brokerDelay(milliseconds: Int, length: Int)
  }

  static let isWanted = ProcessInfo.processInfo.environment["CHAOS"] != nil

  let seed: UInt64
  let seconds: Int
  let channels: Int
  let videos: Int
  private var random: Mutator
  private var hasLostStore = false

  init() {
    let environment = ProcessInfo.processInfo.environment
    func number(_ name: String, _ usual: Int) -> Int { environment[name].flatMap { Int($0) } ?? usual }
    seed = environment["CHAOS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...999_999)
    seconds = number("CHAOS_SECONDS", 90)
    channels = number("CHAOS_CHANNELS", 30)
    videos = number("CHAOS_VIDEOS", 1000)
    random = Mutator(seed: seed)
  }

  /// What happens next, and how long after it.
  mutating func next(isReal: Bool, elapsed: Double) -> (action: Action, pause: Duration) {
    let pause = Duration.milliseconds(300 + random.below(1500))
    // Once, in the second half, when there is something to lose.
    if !hasLostStore && elapsed > 0.5 {
      hasLostStore = true
      return (.loseStore, pause)
    }
    let stage = random.pick(World.stages)
    switch random.below(isReal ? 70 : 100) {
    case ..<12: return (.kill(stage), pause)
    case ..<20: return (.terminate(stage), pause)
    case ..<28: return (.add(stage), pause)
    case ..<34: return (.remove(stage), pause)
    case ..<40: return (.restartStore(milliseconds: 200 + random.below(3000)), pause)
    case ..<62:
      let method = random.pick(["channels.list", "playlistItems.list", "videos.list"])
      return (.faults(kind: random.below(FaultKinds.all.count), method: method, count: 1 + random.below(4)), pause)
    case ..<70: return (.slowness(milliseconds: 200 + random.below(2000), count: 1 + random.below(8)), pause)
    case ..<92:
      let (request, codes) = random.pick(Self.brokerErrors)
      return (.brokerErrors(request: request, codes: (0...random.below(3)).map { _ in random.pick(codes) }), pause)
    default: return (.brokerDelay(milliseconds: 50 + random.below(500), length: 500 + random.below(2500)), pause)
    }
  }

  /// By the protocol's numbers of requests and errors: https://kafka.apache.org/protocol
  private static let brokerErrors: [(Int16, [Int32])] = [
    // Produce: not the leader, timed out, too few replicas in sync, connection cut
    (0, [6, 7, 19, -195]),
    // Fetch: not the leader, leader not available, connection cut
    (1, [6, 5, -195]),
    // Metadata: leader not available, connection cut
    (3, [5, -195]),
    // OffsetCommit: coordinator loading, not available, moved; rebalance in progress
    (8, [14, 15, 16, 27, -195]),
    // OffsetFetch
    (9, [14, 16, -195]),
    // FindCoordinator
    (10, [15, -195]),
    // JoinGroup, Heartbeat, SyncGroup: moved, rebalance in progress, unknown member, illegal generation
    (11, [14, 16, 25, -195]),
    (12, [16, 27, 25, 22, -195]),
    (14, [16, 27, 25, 22, -195]),
    // InitProducerId: coordinator loading, connection cut
    (22, [14, -195]),
  ]
}

/// What the API answers when something is wrong with it, and soon no more.
enum FaultKinds {
  static let all: [JSONTree] = [
    ["status": 500, "reason": "backendError"], ["status": 503, "reason": "backendError"], ["action": "reset"], ["action": "truncate"],
    ["action": "malformed"], ["action": "html", "status": 502],
    ["status": 429, "reason": "rateLimitExceeded", "headers": ["Retry-After": "1"]], ["status": 403, "reason": "userRateLimitExceeded"],
  ]
}
