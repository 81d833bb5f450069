import Quota

/// Does the same random things to two ledgers and compares every answer.
public struct QuotaStoreComparison {
  private var random: SeededRandom
  private var time = 20_000 * 86_400_000
  private var grants: [(Grant, Grant)] = []

  public init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Throws a `ConformanceFailure` that names the step at which the two differ.
  public mutating func run(steps: Int, _ reference: QuotaStoreEnvironment, _ candidate: QuotaStoreEnvironment) async throws {
    let stores = (try await reference.makeStore(), try await candidate.makeStore())
    for step in 0..<steps {
      // Mostly small steps, now and then hours, now and then backwards.
      time += [0, 1, 37, 900, 61_000, 3_000_000, -20_000, -4_000_000, 86_400_000].randomElement(using: &random) ?? 0
      try await reference.setTime(time)
      try await candidate.setTime(time)
      let action = Action.random(using: &random, grants: grants.count)
      let answers = (await perform(action, on: stores.0, \.0), await perform(action, on: stores.1, \.1))
      guard answers.0.text == answers.1.text else {
        throw ConformanceFailure(description: "step \(step) \(action) at \(time): \(answers.1.text) instead of \(answers.0.text)")
      }
      if let first = answers.0.grant, let second = answers.1.grant { grants = grants.suffix(20) + [(first, second)] }
    }
    await stores.0.close()
    await stores.1.close()
  }

  private enum Action {
    case reserve(Bucket, cost: Int, QuotaPolicy)
    case refund(Int)
    case exhaust(Bucket, dayOfGrant: Int?)
    case answered(Int)
    case set(Bucket, Int)
    case clear(Bucket)
    case status

    static func random(using random: inout SeededRandom, grants: Int) -> Action {
      let bucket = Bucket.allCases.randomElement(using: &random) ?? .default
      switch Int.random(in: 0..<100, using: &random) {
      case ..<70: return .reserve(bucket, cost: .random(in: 1...9, using: &random), policy(using: &random))
      case ..<80: return grants == 0 ? .status : .refund(.random(in: 0..<grants, using: &random))
      case ..<82: return grants == 0 ? .status : .answered(.random(in: 0..<grants, using: &random))
      case ..<86: return .exhaust(bucket, dayOfGrant: grants == 0 ? nil : .random(in: 0..<grants, using: &random))
      case ..<89: return .set(bucket, .random(in: -2...120, using: &random))
      case ..<93: return .clear(bucket)
      default: return .status
      }
    }

    private static func policy(using random: inout SeededRandom) -> QuotaPolicy {
      QuotaPolicy(
        limits: [.default: [100, 137, 9973].randomElement(using: &random) ?? 1, .search: 40],
        pacing: Bool.random(using: &random) ? .even : .burst,
        burstPercent: [0, 2, 33, 100].randomElement(using: &random) ?? 1,
        requestsPerMinute: [nil, 1, 7, 59, 60_000].randomElement(using: &random) ?? nil,
        reserve: [0, 0, 20].randomElement(using: &random) ?? 0)
    }
  }

  // Ledgers have random ids, so grants are compared without theirs.
  private func perform(
    _ action: Action, on store: any QuotaStore, _ side: KeyPath<(Grant, Grant), Grant>
  ) async -> (text: String, grant: Grant?) {
    do throws(QuotaStoreError) {
      switch action {
      case .reserve(let bucket, let cost, let policy):
        switch try await store.reserve(bucket, cost: cost, policy: policy) {
        case .granted(let grant): return ("granted \(grant.bucket) \(grant.cost) \(grant.day) \(grant.remaining) \(grant.time)", grant)
        case .denied(let denial): return ("\(denial)", nil)
        }
      case .refund(let index): try await store.refund(grants[index][keyPath: side])
      case .exhaust(let bucket, let index):
        try await store.exhaust(bucket, day: index.map { grants[$0][keyPath: side].day }, policy: QuotaPolicy())
      case .answered(let index): return ("\(try await store.answered(grants[index][keyPath: side]))", nil)
      case .set(let bucket, let spent): return ("\(try await store.set(bucket, spent: spent))", nil)
      case .clear(let bucket): try await store.clearExhaustion(bucket)
      case .status: return ("\(try await store.status(QuotaPolicy()))", nil)
      }
      return ("done", nil)
    } catch {
      return ("\(error.code)", nil)
    }
  }
}
