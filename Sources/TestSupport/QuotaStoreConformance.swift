import Quota

/// What every quota store does, whatever it keeps its ledger in: `@Test(arguments: QuotaStoreConformance.cases)`.
public enum QuotaStoreConformance {
  public struct Case: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable (QuotaStoreScene) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (QuotaStoreScene) async throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Runs on an empty ledger; throws a `ConformanceFailure` that says what differs.
    public func run(_ environment: QuotaStoreEnvironment) async throws {
      try await environment.setTime(QuotaStoreScene.noon)
      let scene = QuotaStoreScene(environment: environment, store: try await environment.makeStore())
      try await body(scene)
      await scene.store.close()
    }
  }

  public static let cases: [Case] = spending + resets + pacing + exhaustion + operators + losses
}

/// A store did not do what every store does.
public struct ConformanceFailure: Error, CustomStringConvertible {
  public let description: String
}

/// One case at work: a store at noon, and short words for what the cases do.
public struct QuotaStoreScene: Sendable {
  let environment: QuotaStoreEnvironment
  let store: any QuotaStore

  static let dayLength = 86_400_000
  static let midnight = 20_000 * dayLength
  static let noon = midnight + dayLength / 2
  static let policy = QuotaPolicy(limits: [.default: 10, .search: 3])

  func grant(
    _ cost: Int = 1, _ bucket: Bucket = .default, _ policy: QuotaPolicy = policy, by other: (any QuotaStore)? = nil, line: Int = #line
  ) async throws -> Grant {
    let reservation = try await (other ?? store).reserve(bucket, cost: cost, policy: policy)
    guard case .granted(let grant) = reservation else { throw ConformanceFailure(description: "line \(line): \(reservation) is no grant") }
    return grant
  }

  func deny(_ cost: Int = 1, _ bucket: Bucket = .default, _ policy: QuotaPolicy = policy, line: Int = #line) async throws -> Denial {
    let reservation = try await store.reserve(bucket, cost: cost, policy: policy)
    guard case .denied(let denial) = reservation else { throw ConformanceFailure(description: "line \(line): \(reservation) is no denial") }
    return denial
  }

  func status(_ bucket: Bucket = .default, _ policy: QuotaPolicy = policy) async throws -> BucketStatus {
    guard let status = try await store.status(policy).first(where: { $0.bucket == bucket }) else {
      throw ConformanceFailure(description: "no status of \(bucket)")
    }
    return status
  }

  func fails(
    with code: QuotaStoreError.Code, line: Int = #line, _ body: () async throws(QuotaStoreError) -> Void
  ) async throws {
    do throws(QuotaStoreError) { try await body() } catch {
      if error.code == code { return }
      throw ConformanceFailure(description: "line \(line): \(error.code) \(error) instead of \(code)")
    }
    throw ConformanceFailure(description: "line \(line): no error instead of \(code)")
  }

  func at(_ time: Int) async throws { try await environment.setTime(time) }

  func equal<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) throws {
    guard value == expected else { throw ConformanceFailure(description: "line \(line): \(value) is not \(expected)") }
  }
}
