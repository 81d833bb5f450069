import Quota
import QuotaStores
import Telemetry
import WorkerApp

/// The checks of the quota store: what it says, whether it takes what the workers write, and whether it keeps that.
struct LedgerCheck: Sendable {
  let configuration: AppConfiguration

  func findings() async -> [Finding] {
    let calendar: QuotaCalendar
    do throws(TimeZoneDataError) { calendar = try .pacific() } catch {
      return [.problem("time zone", error.message, mend: "apt-get install tzdata, or set TZDIR to where the zones are")]
    }
    let zone = Finding.ok("time zone", "America/Los_Angeles is known")
    do throws(QuotaStoreError) {
      let store = try await QuotaStoreURL.open(configuration.quotaStore, calendar: calendar)
      let findings = await Self.findings(store, configuration.quotaPolicy)
      await store.close()
      return [zone] + findings + [await watermarks()]
    } catch {
      return [zone, Self.failure("quota store", error)]
    }
  }

  static func findings(_ store: any QuotaStore, _ policy: QuotaPolicy) async -> [Finding] {
    let buckets: [Finding]
    do throws(QuotaStoreError) { buckets = try await store.status(policy).map(bucket) } catch { return [failure("quota store", error)] }
    return buckets + [await writing(store)] + (await durability(store))
  }

  /// A store that answers may yet refuse every reservation.
  private static func writing(_ store: any QuotaStore) async -> Finding {
    do throws(QuotaStoreError) {
      try await store.probe()
      return .ok("ledger write", "the store takes what is written")
    } catch {
      return failure("ledger write", error)
    }
  }

  private func watermarks() async -> Finding {
    do throws(QuotaStoreError) {
      let store = try await QuotaStoreURL.openWatermarks(configuration.quotaStore, scope: configuration.watermarkScope)
      let finding = await Self.watermarks(store)
      await store.close()
      return finding
    } catch {
      return Self.failure("watermarks", error)
    }
  }

  /// A user of Redis may be allowed the ledger's key and no other.
  static func watermarks(_ store: any WatermarkStore) async -> Finding {
    do throws(QuotaStoreError) {
      try await store.probe()
      return .ok("watermarks", "the store takes what requests with \"since\" need")
    } catch {
      return failure("watermarks", error)
    }
  }

  private static func failure(_ check: String, _ error: QuotaStoreError) -> Finding {
    if error.code == .clockBehind {
      return .problem(
        check, "nothing is granted: \(error.message)",
        mend: "synchronise the clock of the store's host (chrony, systemd-timesyncd); only if that is right, run: "
          + "tubeline quota set default UNITS")
    }
    return .problem(check, error.message, mend: error.remedy ?? "check QUOTA_STORE, and that the store runs and lets you in")
  }

  private static func durability(_ store: any QuotaStore) async -> [Finding] {
    guard let redis = store as? RedisQuotaStore else { return [] }
    do throws(QuotaStoreError) { return durability(try await redis.durability()) } catch { return [failure("ledger kept", error)] }
  }

  /// What a crash of the server, or a lack of memory, would make the ledger forget.
  static func durability(_ told: RedisDurability) -> [Finding] {
    [appendOnlyFile(told), eviction(told)]
  }

  private static func appendOnlyFile(_ told: RedisDurability) -> Finding {
    switch (told.isAppendOnly, told.fsync) {
    case (nil, _): return .unknown("ledger kept", "this user may not look whether Redis keeps the ledger (+info, docs/security.md)")
    case (false?, _):
      return .problem(
        "ledger kept", "Redis has no append-only file: when it restarts, what is spent today is forgotten, and the limit can be passed",
        mend: "at QUOTA_STORE's server CONFIG SET appendonly yes, and CONFIG SET appendfsync always; the same in its configuration file")
    case (true?, "always"?): return .ok("ledger kept", "append-only file, written before Redis answers (appendfsync always)")
    case (true?, "everysec"?):
      return .warning(
        "ledger kept", "appendfsync everysec: a crash of Redis's host may forget what was granted in the last second or two",
        mend: "at QUOTA_STORE's server CONFIG SET appendfsync always; the same in its configuration file")
    case (true?, let other?):
      return .problem(
        "ledger kept", "appendfsync \(other): a crash of Redis's host forgets what the system had not written yet",
        mend: "at QUOTA_STORE's server CONFIG SET appendfsync always; the same in its configuration file")
    case (true?, nil):
      return .unknown("ledger kept", "append-only file; this user may not look how often it is written (+config|get, docs/security.md)")
    }
  }

  private static func eviction(_ told: RedisDurability) -> Finding {
    guard let policy = told.eviction else {
      return .unknown("eviction", "this user may not look what Redis does when its memory is full (+info, docs/security.md)")
    }
    guard policy != "noeviction" else { return .ok("eviction", "noeviction") }
    let remedy = "redis-cli CONFIG SET maxmemory-policy noeviction; and the same in its configuration file"
    if told.maxMemory == 0 { return .warning("eviction", "\(policy), once maxmemory is set: then Redis may drop the ledger", mend: remedy) }
    return .problem("eviction", "\(policy): Redis may drop the ledger when its memory is full", mend: remedy)
  }

  private static func bucket(_ status: BucketStatus) -> Finding {
    let reset = "full again \(Timestamp.rfc3339(status.resetsAt).prefix(16))Z"
    let detail = "\(status.bucket): \(Spans.count(status.spent)) of \(Spans.count(status.limit)) spent, \(reset)"
    if status.isDoubted {
      return .problem(
        "quota store", "\(detail); it lost data today, so nothing is spent before the reset",
        mend: "say what is spent: tubeline quota set \(status.bucket) UNITS")
    }
    guard status.isExhausted else { return .ok("quota store", detail) }
    return .problem(
      "quota store", "\(detail); YouTube said that it is used up\(status.drift > 0 ? ", \(status.drift) units before our count" : "")",
      mend: "wait for the reset, or run: tubeline quota clear \(status.bucket)")
  }
}
