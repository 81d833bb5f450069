import Quota

extension QuotaStoreConformance {
  static let exhaustion: [Case] = [
    Case("exhaustion stops every store until the reset, and shows the drift") { scene in
      let grant = try await scene.grant(4)
      let other = try await scene.environment.makeStore()
      try await other.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      let denial = try await scene.deny()
      try scene.equal(denial.reason, .exhaustedByAPI)
      try scene.equal(denial.retryAfter, .seconds(43_200))
      try scene.equal(denial.remaining, 0)
      let status = try await scene.status()
      try scene.equal([status.spent, status.remaining, status.drift], [4, 0, 6])
      try scene.equal(status.isExhausted, true)
      _ = try await scene.grant(1, .search)
      try await other.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      try scene.equal(try await scene.status().drift, 6)
      try await scene.at(QuotaStoreScene.midnight + QuotaStoreScene.dayLength)
      _ = try await scene.grant()
      try scene.equal(try await scene.status().drift, 0)
      await other.close()
    },
    Case("exhaustion works on a ledger that does not exist yet") { scene in
      try await scene.store.exhaust(.search, day: nil, policy: QuotaStoreScene.policy)
      try scene.equal(try await scene.deny(1, .search).reason, .exhaustedByAPI)
    },
    Case("exhaustion that belongs to an earlier day is ignored") { scene in
      let grant = try await scene.grant()
      try await scene.at(QuotaStoreScene.noon + QuotaStoreScene.dayLength)
      _ = try await scene.grant()
      try await scene.store.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      _ = try await scene.grant()
    },
    Case("exhaustion just after a reset is tried again after a minute, for the API's clock may be late") { scene in
      try await scene.at(QuotaStoreScene.midnight + 5000)
      let grant = try await scene.grant()
      try await scene.store.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      try scene.equal(try await scene.deny().retryAfter, .seconds(60))
      try scene.equal(try await scene.status().drift, 0)
      try await scene.at(QuotaStoreScene.midnight + 65_000)
      _ = try await scene.grant()
    },
    Case("an answer after exhaustion contradicts it, and no other does") { scene in
      let grant = try await scene.grant(4)
      try scene.equal(try await scene.store.answered(grant), false)
      try await scene.store.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      try scene.equal(try await scene.store.answered(grant), true)
      try scene.equal(try await scene.store.answered(grant), true)
      let status = try await scene.status()
      try scene.equal([status.contradictions, status.spent, status.drift], [2, 4, 6])
      try scene.equal(status.isExhausted, true)
      try await scene.store.clearExhaustion(.default)
      try scene.equal(try await scene.status().contradictions, 0)
      try scene.equal(try await scene.store.answered(grant), false)
      try await scene.store.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      try await scene.at(QuotaStoreScene.noon + QuotaStoreScene.dayLength)
      _ = try await scene.grant()
      try scene.equal(try await scene.store.answered(grant), false)
    },
    Case("an operator can clear exhaustion") { scene in
      let grant = try await scene.grant(4)
      try await scene.store.clearExhaustion(.default)
      try await scene.store.exhaust(.default, day: grant.day, policy: QuotaStoreScene.policy)
      try await scene.store.clearExhaustion(.default)
      try scene.equal(try await scene.grant().remaining, 5)
      try scene.equal(try await scene.status().drift, 0)
    },
  ]

  static let operators: [Case] = [
    Case("set returns the count before and forgets exhaustion") { scene in
      try scene.equal(try await scene.store.set(.default, spent: 3), 0)
      _ = try await scene.grant(2)
      try await scene.store.exhaust(.default, day: nil, policy: QuotaStoreScene.policy)
      try scene.equal(try await scene.store.set(.default, spent: 8), 5)
      try scene.equal(try await scene.grant(2).remaining, 0)
      try scene.equal(try await scene.store.set(.default, spent: -5), 10)
      try scene.equal(try await scene.status().spent, 0)
    },
    Case("set may pass the limit") { scene in
      try await scene.store.set(.default, spent: 25)
      try scene.equal(try await scene.deny().remaining, 0)
      try scene.equal(try await scene.status().remaining, 0)
    },
    Case("set the day after returns zero") { scene in
      _ = try await scene.grant(5)
      try await scene.at(QuotaStoreScene.noon + QuotaStoreScene.dayLength)
      try scene.equal(try await scene.store.set(.default, spent: 1), 0)
    },
  ]
}
