import Quota

extension QuotaStoreConformance {
  static let losses: [Case] = [
    Case("a ledger that is gone is reported and nothing is spent") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try scene.equal(try await scene.status().isDoubted, false)
      try await expectLoss(scene)
      try await expectLoss(scene)
      try scene.equal(try await scene.status().spent, 0)
      try scene.equal(try await scene.status().isDoubted, true)
      try await scene.at(QuotaStoreScene.midnight + QuotaStoreScene.dayLength - 1)
      try await expectLoss(scene)
    },
    Case("the reset ends a loss: nothing of the new day is unknown") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      try await scene.at(QuotaStoreScene.noon + QuotaStoreScene.dayLength)
      try scene.equal(try await scene.grant(2).remaining, 8)
    },
    Case("a loss that one process notices stops those that have seen nothing") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      let stranger = try await scene.environment.makeStore()
      try await expectLoss(scene, by: stranger)
      try await stranger.set(.default, spent: 9)
      try scene.equal(try await scene.status().isDoubted, false)
      try scene.equal(try await scene.grant(1, by: stranger).remaining, 0)
      await stranger.close()
    },
    Case("a ledger that was only looked at is missed, too") { scene in
      _ = try await scene.grant(9)
      let other = try await scene.environment.makeStore()
      try await other.remember()
      try await scene.environment.erase()
      try await expectLoss(scene, by: other)
      await other.close()
    },
    Case("a ledger that another process made anew is reported") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      let stranger = try await scene.environment.makeStore()
      _ = try await scene.grant(1, by: stranger)
      try await expectLoss(scene)
      await stranger.close()
    },
    Case("a ledger that went back to an older copy is reported") { scene in
      _ = try await scene.grant(2)
      let restore = try await scene.environment.save()
      _ = try await scene.grant(3)
      try await restore()
      try await expectLoss(scene)
      try scene.equal(try await scene.status().spent, 2)
    },
    Case("a ledger that went back is reported, too, when others have gone on from the older copy") { scene in
      _ = try await scene.grant(1)
      let restore = try await scene.environment.save()
      _ = try await scene.grant(1)
      try await restore()
      let stranger = try await scene.environment.makeStore()
      for _ in 0..<3 { _ = try await scene.grant(1, by: stranger) }
      try await expectLoss(scene)
      try await expectLoss(scene, by: stranger)
      try scene.equal(try await scene.status().isDoubted, true)
      await stranger.close()
    },
    Case("a ledger is missed again after a loss was noticed") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      try await scene.environment.erase()
      try await expectLoss(scene)
      let stranger = try await scene.environment.makeStore()
      try await expectLoss(scene, by: stranger)
      await stranger.close()
    },
    Case("a ledger that went back to an old copy is missed again in a newer one") { scene in
      _ = try await scene.grant(1)
      let restoreOld = try await scene.environment.save()
      for _ in 0..<3 { _ = try await scene.grant(1) }
      let restoreNewer = try await scene.environment.save()
      _ = try await scene.grant(1)
      try await restoreOld()
      try await expectLoss(scene)
      try await restoreNewer()
      try await expectLoss(scene)
      try scene.equal(try await scene.status().isDoubted, true)
    },
    Case("a loss that was noticed and lost is missed, however far others have gone on") { scene in
      _ = try await scene.grant(1)
      let restore = try await scene.environment.save()
      _ = try await scene.grant(1)
      try await restore()
      try await expectLoss(scene)
      try await restore()
      let stranger = try await scene.environment.makeStore()
      for _ in 0..<6 { _ = try await scene.grant(1, by: stranger) }
      try await expectLoss(scene)
      await stranger.close()
    },
    Case("who has only looked misses what went back, however far others have gone on") { scene in
      _ = try await scene.grant(1)
      let restore = try await scene.environment.save()
      _ = try await scene.grant(1)
      let other = try await scene.environment.makeStore()
      try await other.remember()
      try await restore()
      let stranger = try await scene.environment.makeStore()
      for _ in 0..<6 { _ = try await scene.grant(1, by: stranger) }
      try await expectLoss(scene, by: other)
      await other.close()
      await stranger.close()
    },
    Case("a stranger whose clock was a day ahead makes nobody miss anything") { scene in
      _ = try await scene.grant(1)
      _ = try await scene.grant(1, .search)
      let stranger = try await scene.environment.makeStore()
      try await scene.at(QuotaStoreScene.noon + QuotaStoreScene.dayLength)
      _ = try await scene.grant(1, by: stranger)
      _ = try await scene.grant(1, .search, by: stranger)
      try await scene.at(QuotaStoreScene.noon + 1000)
      try await stranger.set(.default, spent: 2)
      for _ in 0..<2 { _ = try await scene.grant(1) }
      _ = try await scene.grant(1, .search)
      _ = try await scene.grant(1, by: stranger)
      try scene.equal(try await scene.status().isDoubted, false)
      await stranger.close()
    },
    Case("an entry that a wrong clock's new day removed is not missed when the clock is right again") { scene in
      let (midnight, stranger) = (QuotaStoreScene.midnight + QuotaStoreScene.dayLength, try await scene.environment.makeStore())
      try await scene.at(midnight - 120_000)
      _ = try await scene.grant(1)
      _ = try await scene.grant(1, .search)
      try await scene.at(midnight + 60_000)
      _ = try await scene.grant(1, by: stranger)
      try await scene.at(midnight - 420_000)
      try await stranger.set(.default, spent: 2)
      _ = try await scene.grant(1)
      _ = try await scene.grant(1, .search)
      try scene.equal(try await scene.status().isDoubted, false)
      await stranger.close()
    },
    Case("the operator's word holds, too, when the lost ledger's clock was ahead") { scene in
      let stranger = try await scene.environment.makeStore()
      try await scene.at(QuotaStoreScene.noon + 1_800_000)
      _ = try await scene.grant(1, by: stranger)
      try await scene.at(QuotaStoreScene.noon)
      _ = try await scene.grant(1)
      try await scene.environment.erase()
      try await scene.at(QuotaStoreScene.noon + 1000)
      try await stranger.set(.default, spent: 2)
      try scene.equal(try await scene.grant(1).remaining, 7)
      try scene.equal(try await scene.status().isDoubted, false)
      await stranger.close()
    },
    Case("after a ledger went back, one bucket's confirmation lasts while the other's is waited for") { scene in
      _ = try await scene.grant(2)
      _ = try await scene.grant(1, .search)
      let restore = try await scene.environment.save()
      for _ in 0..<3 { _ = try await scene.grant(1) }
      try await restore()
      try await scene.at(QuotaStoreScene.noon + 1000)
      try await scene.store.set(.default, spent: 5)
      try await scene.at(QuotaStoreScene.noon + 2000)
      _ = try await scene.grant()
      try await scene.fails(with: .dataLoss) { () throws(QuotaStoreError) in
        _ = try await scene.store.reserve(.search, cost: 1, policy: QuotaStoreScene.policy)
      }
      _ = try await scene.grant()
      try await scene.at(QuotaStoreScene.noon + 3000)
      try await scene.store.set(.search, spent: 1)
      _ = try await scene.grant(1, .search)
      try scene.equal(try await scene.grant().remaining, 2)
    },
    Case("processes of yesterday are forgotten, and miss nothing") { scene in
      let other = try await scene.environment.makeStore()
      _ = try await scene.grant(1)
      _ = try await scene.grant(1, by: other)
      try await scene.at(QuotaStoreScene.noon + 86_400_000)
      _ = try await scene.grant(1, by: other)
      _ = try await scene.deny(11)
      _ = try await scene.grant(1)
      await other.close()
    },
    Case("the operator's set confirms a ledger after a loss") { scene in
      _ = try await scene.grant(9)
      let old = try await scene.grant(1)
      try await scene.environment.erase()
      try await expectLoss(scene)
      let operatorsStore = try await scene.environment.makeStore()
      try await operatorsStore.set(.default, spent: 8)
      try scene.equal(try await scene.grant().remaining, 1)
      try await scene.store.refund(old)
      try scene.equal(try await scene.status().spent, 9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      await operatorsStore.close()
    },
    Case("the operator's set confirms its bucket and no other") { scene in
      _ = try await scene.grant(9)
      _ = try await scene.grant(1, .search)
      try await scene.environment.erase()
      let operatorsStore = try await scene.environment.makeStore()
      try await operatorsStore.set(.search, spent: 1)
      try await expectLoss(scene)
      try await expectLoss(scene, by: operatorsStore)
      _ = try await scene.grant(1, .search)
      try await expectLoss(scene)
      try scene.equal(try await scene.status().isDoubted, true)
      try await operatorsStore.set(.default, spent: 9)
      try scene.equal(try await scene.grant().remaining, 0)
      await operatorsStore.close()
    },
    Case("the operator's set confirms a ledger that went back") { scene in
      _ = try await scene.grant(2)
      let restore = try await scene.environment.save()
      _ = try await scene.grant(3)
      _ = try await scene.grant(3)
      try await scene.at(QuotaStoreScene.noon + 1000)
      try await restore()
      try await scene.store.set(.default, spent: 7)
      try scene.equal(try await scene.grant().remaining, 2)
    },
    Case("an old confirmation does not cover a later loss") { scene in
      try await scene.store.set(.default, spent: 1)
      let restore = try await scene.environment.save()
      try await scene.at(QuotaStoreScene.noon + 1000)
      _ = try await scene.grant(3)
      try await restore()
      try await expectLoss(scene)
    },
    Case("an accepted loss goes on with what there is") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      await scene.store.acceptDataLoss()
      try scene.equal(try await scene.grant(2).remaining, 8)
      try scene.equal(try await scene.grant(2).remaining, 6)
    },
    Case("an accepted loss is accepted for all") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      await scene.store.acceptDataLoss()
      _ = try await scene.deny(11)
      _ = try await scene.grant(2)
      let stranger = try await scene.environment.makeStore()
      try scene.equal(try await scene.grant(1, by: stranger).remaining, 7)
      await stranger.close()
    },
    Case("exhaustion does not end a loss") { scene in
      _ = try await scene.grant(9)
      try await scene.environment.erase()
      try await expectLoss(scene)
      try await scene.store.exhaust(.default, day: nil, policy: QuotaStoreScene.policy)
      try await expectLoss(scene)
    },
    Case("denials before the first grant are no loss") { scene in
      let empty = QuotaPolicy(limits: [.default: 0])
      _ = try await scene.deny(1, .default, empty)
      _ = try await scene.deny(1, .default, empty)
      let other = try await scene.environment.makeStore()
      _ = try await scene.grant(1, by: other)
      _ = try await scene.deny(1, .default, empty)
      _ = try await scene.grant()
      await other.close()
    },
  ]

  private static func expectLoss(_ scene: QuotaStoreScene, by store: (any QuotaStore)? = nil, line: Int = #line) async throws {
    try await scene.fails(with: .dataLoss, line: line) { () throws(QuotaStoreError) in
      _ = try await (store ?? scene.store).reserve(.default, cost: 1, policy: QuotaStoreScene.policy)
    }
  }
}
