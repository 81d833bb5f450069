import FoundationEssentials
import Quota

extension QuotaStoreConformance {
  static let spending: [Case] = [
    Case("grants up to the limit and not a unit more") { scene in
      for left in (0..<10).reversed() { try scene.equal(try await scene.grant().remaining, left) }
      let denial = try await scene.deny()
      try scene.equal(denial.reason, .usedUp)
      try scene.equal(denial.retryAfter, .seconds(43_200))
      try scene.equal(denial.until, Date(timeIntervalSince1970: 20_001 * 86_400))
      try scene.equal(try await scene.status().spent, 10)
    },
    Case("a cost that does not fit leaves room for one that does") { scene in
      _ = try await scene.grant(7)
      try scene.equal(try await scene.deny(4).reason, .usedUp)
      _ = try await scene.grant(3)
    },
    Case("buckets do not touch each other") { scene in
      _ = try await scene.grant(3, .search)
      _ = try await scene.deny(1, .search)
      _ = try await scene.grant(10, .default)
      try scene.equal(try await scene.status(.batchGetStats).spent, 0)
    },
    Case("stores on one ledger share it") { scene in
      let other = try await scene.environment.makeStore()
      _ = try await scene.grant(6)
      try scene.equal(try await scene.grant(4, by: other).remaining, 0)
      _ = try await scene.deny()
      await other.close()
    },
    Case("many at once get the limit together") { scene in
      var stores = [scene.store]
      for _ in 0..<3 { stores.append(try await scene.environment.makeStore()) }
      let policy = QuotaPolicy(limits: [.default: 100])
      let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<160 {
          let store = stores[index % stores.count]
          group.addTask { if case .granted = try await store.reserve(.default, cost: 1, policy: policy) { true } else { false } }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      try scene.equal(granted, 100)
      try scene.equal(try await scene.status(.default, policy).spent, 100)
      for store in stores.dropFirst() { await store.close() }
    },
    Case("a refund gives units back, never below zero") { scene in
      let grant = try await scene.grant(4)
      _ = try await scene.grant(2)
      try await scene.store.refund(grant)
      try scene.equal(try await scene.status().spent, 2)
      try await scene.store.refund(grant)
      try scene.equal(try await scene.status().spent, 0)
    },
    Case("a refund to another ledger is ignored") { scene in
      let grant = try await scene.grant(4)
      let stranger = Grant(bucket: .default, cost: 4, day: grant.day, remaining: 0, ledger: "another", time: grant.time)
      try await scene.store.refund(stranger)
      try scene.equal(try await scene.status().spent, 4)
    },
    Case("what was granted before the operator's word is not refunded from it") { scene in
      let before = try await scene.grant(4)
      try await scene.at(QuotaStoreScene.noon + 1)
      _ = try await scene.store.set(.default, spent: 6)
      try await scene.store.refund(before)
      try scene.equal(try await scene.status().spent, 6)
      try await scene.at(QuotaStoreScene.noon + 2)
      let after = try await scene.grant(3)
      try await scene.store.refund(after)
      try scene.equal(try await scene.status().spent, 6)
      let search = try await scene.grant(2, .search)
      try await scene.store.refund(search)
      try scene.equal(try await scene.status(.search).spent, 0)
    },
    Case("a refund of what a ledger does not know yet is ignored") { scene in
      let late = Grant(
        bucket: .default, cost: 2, day: try await scene.grant(5).day, remaining: 0, ledger: try await scene.grant().ledger,
        time: QuotaStoreScene.noon + 1)
      try await scene.store.refund(late)
      try scene.equal(try await scene.status().spent, 6)
    },
    Case("the reserve stays for others") { scene in
      var modest = QuotaStoreScene.policy
      modest.reserve = 4
      _ = try await scene.grant(6, .default, modest)
      let denial = try await scene.deny(1, .default, modest)
      try scene.equal(denial.reason, .reserve)
      try scene.equal(denial.remaining, 4)
      _ = try await scene.grant(4)
      try scene.equal(try await scene.deny(1, .default, modest).reason, .usedUp)
      _ = try await scene.grant(3, .search, modest)
    },
    Case("a cost below one unit is invalid") { scene in
      for cost in [0, -1, Int.min, Int.max] {
        try await scene.fails(with: .invalid) { () throws(QuotaStoreError) in
          _ = try await scene.store.reserve(.default, cost: cost, policy: QuotaStoreScene.policy)
        }
      }
      try scene.equal(try await scene.status().spent, 0)
    },
    Case("a limit of zero grants nothing") { scene in
      try scene.equal(try await scene.deny(1, .default, QuotaPolicy(limits: [.default: 0])).reason, .usedUp)
    },
    Case("the largest limit and cost are counted exactly") { scene in
      let policy = QuotaPolicy(limits: [.default: 50_000_000], pacing: .even, burstPercent: 0)
      try await scene.at(QuotaStoreScene.midnight + QuotaStoreScene.dayLength - 1)
      _ = try await scene.grant(49_999_000, .default, policy)
      try scene.equal(try await scene.status(.default, policy).remaining, 1000)
    },
    Case("a closed store answers nothing") { scene in
      let other = try await scene.environment.makeStore()
      await other.close()
      await other.close()
      try await scene.fails(with: .closed) { () throws(QuotaStoreError) in
        _ = try await other.reserve(.default, cost: 1, policy: QuotaStoreScene.policy)
      }
    },
    Case("a probe makes no ledger and changes none") { scene in
      try await scene.store.probe()
      let other = try await scene.environment.makeStore()
      try await other.remember()
      _ = try await scene.grant(4)
      let before = try await scene.status()
      try await scene.store.probe()
      try scene.equal(try await scene.status(), before)
      try scene.equal(try await scene.grant(2, by: other).remaining, 4)
      await other.close()
    },
    Case("status of an empty ledger shows the limits and makes nothing") { scene in
      let statuses = try await scene.store.status(QuotaStoreScene.policy)
      try scene.equal(statuses.map(\.bucket), Bucket.allCases)
      try scene.equal(statuses.map(\.remaining), [10, 3, 10_000])
      try scene.equal(statuses.map(\.resetsAt), Array(repeating: Date(timeIntervalSince1970: 20_001 * 86_400), count: 3))
    },
  ]

  static let resets: [Case] = [
    Case("the last millisecond belongs to the day and the next to the new one") { scene in
      let midnight = QuotaStoreScene.midnight + QuotaStoreScene.dayLength
      try await scene.at(midnight - 1)
      let last = try await scene.grant(10)
      try scene.equal(try await scene.deny().retryAfter, .milliseconds(1))
      try await scene.at(midnight)
      let first = try await scene.grant(10)
      try scene.equal(last.day.end, first.day.start)
      try scene.equal(first.day.start, midnight)
    },
    Case("a refund after midnight does not credit the new day") { scene in
      let grant = try await scene.grant(4)
      try await scene.at(QuotaStoreScene.noon + QuotaStoreScene.dayLength)
      try await scene.store.refund(grant)
      _ = try await scene.grant(3)
      try await scene.store.refund(grant)
      try scene.equal(try await scene.status().spent, 3)
    },
    Case("status after the reset shows the new day") { scene in
      _ = try await scene.grant(10)
      try await scene.at(QuotaStoreScene.noon + 3 * QuotaStoreScene.dayLength)
      let status = try await scene.status()
      try scene.equal(status.spent, 0)
      try scene.equal(status.resetsAt, Date(timeIntervalSince1970: 20_004 * 86_400))
    },
    Case("a clock that goes back does not bring the day back") { scene in
      let midnight = QuotaStoreScene.midnight + QuotaStoreScene.dayLength
      try await scene.at(midnight + 1000)
      _ = try await scene.grant(10)
      try await scene.at(midnight - 600_000)
      let denial = try await scene.deny()
      try scene.equal(denial.day.start, midnight)
      try scene.equal(denial.reason, .usedUp)
    },
    Case("a clock far behind the ledger gets nothing until the operator sets the count") { scene in
      try await scene.at(QuotaStoreScene.noon + 5 * QuotaStoreScene.dayLength)
      _ = try await scene.grant(4)
      _ = try await scene.grant(2, .search)
      try await scene.at(QuotaStoreScene.noon)
      try await scene.fails(with: .clockBehind) { () throws(QuotaStoreError) in
        _ = try await scene.store.reserve(.default, cost: 1, policy: QuotaStoreScene.policy)
      }
      try await scene.fails(with: .clockBehind) { () throws(QuotaStoreError) in try await scene.store.probe() }
      try scene.equal(try await scene.status(.search).clockBehind, .seconds(5 * 86_400))
      try scene.equal(try await scene.store.set(.default, spent: 9), 4)
      try await scene.store.probe()
      try scene.equal(try await scene.status().clockBehind, .zero)
      try scene.equal(try await scene.grant().day.start, QuotaStoreScene.midnight)
      let search = try await scene.grant(1, .search)
      try scene.equal(search.day.start, QuotaStoreScene.midnight)
      try scene.equal(search.remaining, 0)
    },
  ]

  static let pacing: [Case] = [
    Case("even pacing grants what has accrued, to the millisecond") { scene in
      let policy = QuotaPolicy(limits: [.default: 1000], pacing: .even, burstPercent: 10)
      try await scene.at(QuotaStoreScene.midnight)
      _ = try await scene.grant(100, .default, policy)
      for _ in 0..<5 {
        let denial = try await scene.deny(7, .default, policy)
        try scene.equal(denial.reason, .pacing)
        let due = Int((denial.until.timeIntervalSince1970 * 1000).rounded())
        try await scene.at(due - 1)
        try scene.equal(try await scene.deny(7, .default, policy).retryAfter, .milliseconds(1))
        try await scene.at(due)
        _ = try await scene.grant(7, .default, policy)
      }
    },
    Case("even pacing keeps what earlier hours left, and spends the whole day's units") { scene in
      let policy = QuotaPolicy(limits: [.default: 1000], pacing: .even, burstPercent: 0)
      _ = try await scene.grant(500, .default, policy)
      try scene.equal(try await scene.deny(2, .default, policy).reason, .pacing)
      try await scene.at(QuotaStoreScene.midnight + QuotaStoreScene.dayLength - 1)
      _ = try await scene.grant(499, .default, policy)
    },
    Case("requests per minute hold in every minute", perMinute),
  ]

  private static func perMinute(_ scene: QuotaStoreScene) async throws {
    let policy = QuotaPolicy(limits: [.default: 1_000_000], requestsPerMinute: 30)
    var time = QuotaStoreScene.noon
    var granted: [Int] = []
    while time < QuotaStoreScene.noon + 180_000 {
      try await scene.at(time)
      switch try await scene.store.reserve(.default, cost: 5, policy: policy) {
      case .granted: granted.append(time)
      case .denied(let denial):
        try scene.equal(denial.reason, .requestsPerMinute)
        time += Int(denial.retryAfter / .milliseconds(1))
      }
    }
    for first in granted { try scene.equal(granted.filter { first..<(first + 60_000) ~= $0 }.count <= 30, true) }
    try scene.equal(granted.count >= 80, true)
    _ = try await scene.grant(1, .search, policy)
  }
}
