import Foundation
import TestSupport
import Testing

@testable import Quota
@testable import QuotaStores
@testable import Redis

@Suite("Fuzz: replies of the quota store", .timeLimit(.minutes(60)))
struct QuotaReplyFuzzTests {
  private static let now = 1_796_000_000_000

  private func value(_ random: inout Mutator, depth: Int = 2) -> RedisValue {
    switch random.below(depth > 0 ? 9 : 7) {
    case 0: .null
    case 1: .integer(random.number())
    case 2: .status(random.text())
    case 3: .bytes(random.bytes())
    case 4: .error(random.text())
    case 5, 6: .bytes(Array("\(random.chance(50) ? Self.now + random.below(1 << 30) : random.number())".utf8))
    default: .array((0..<random.below(5)).map { _ in value(&random, depth: depth - 1) })
    }
  }

  private func changed(_ texts: [String], _ random: inout Mutator) -> RedisValue {
    var values = texts.map { RedisValue.bytes(Array($0.utf8)) }
    for _ in 0..<random.below(4) where !values.isEmpty {
      let place = random.below(values.count)
      switch random.below(5) {
      case 0: values.remove(at: place)
      case 1: values.insert(value(&random), at: place)
      default: values[place] = value(&random)
      }
    }
    return random.chance(3) ? value(&random) : .array(values)
  }

  @Test func aReservationIsReadOrTheStoreIsRefused() {
    Fuzz.run { one in
      let head = ["id", "7", "\(Self.now)", "\(Self.now)", "\(Self.now)", "\(Self.now - 1000)", "\(Self.now + 86_399_000)", "9000"]
      let texts =
        one.random.chance(50)
        ? ["granted"] + head : ["denied"] + head + [one.random.pick(Denial.Reason.allCases).rawValue, "\(Self.now + 5000)"]
      let reply = self.changed(texts, &one.random)
      _ = one.given("\(reply)")
      do {
        let (seen, reservation) = try QuotaScriptAnswer(reply).reservation(bucket: .default, cost: 1)
        if let seen { _ = LedgerMemory.after(LedgerMemory(id: "id", sequence: 3, time: Self.now, clock: Self.now), seeing: seen) }
        var expectation = Expectation()
        expectation.met(by: reservation, seen, as: expectation.writer)
        if case .denied(let denial) = reservation { try claim(denial.retryAfter >= .zero, "\(denial)") }
      } catch let error as QuotaStoreError {
        try claimSentence(error.message, limit: 2000)
      }
    }
  }

  @Test func aStoredLedgerIsReadOrTheStoreIsRefusedAndEveryDecisionHolds() throws {
    let calendar = try QuotaCalendar.pacific()
    let day = calendar.day(containing: Self.now)
    Fuzz.run { one in
      let texts = [
        "\(Self.now)", "id", "x", "sequence", "7", "time", "\(Self.now - 5)", "doubtedUntil", "0", "writersSince", "0", "default.start",
        "\(day.start)", "default.end", "\(day.end)", "default.spent", "70", "default.until", "0", "default.drift", "0", "default.next", "0",
        "default.confirmed", "\(Self.now - 9)",
        "search.start", "\(day.start)", "search.end", "\(day.end)", "search.spent", "\(one.random.number())",
      ]
      let reply = self.changed(texts, &one.random)
      _ = one.given("\(reply)")
      do {
        var (now, ledger) = try QuotaScriptAnswer(reply).ledger(key: "ledger")
        for bucket in Bucket.allCases {
          let status = ledger.status(bucket, limit: 10_000, now: now, calendar: calendar)
          try claim(status.remaining >= 0 && status.remaining <= 10_000 && status.drift >= 0, "\(status)")
          let policy = QuotaPolicy(pacing: .even, requestsPerMinute: 60)
          let reservation = try ledger.reserve(bucket, cost: 50, by: "fuzz", terms: policy.terms(for: bucket), now: now, calendar: calendar)
          if case .granted(let grant) = reservation {
            try claim(grant.remaining >= 0, "\(grant)")
            ledger.refund(grant)
          }
          try ledger.exhaust(bucket, day: nil, limit: 10_000, now: now, calendar: calendar)
        }
        var expectation = Expectation()
        expectation.see(LedgerMemory(id: "x", sequence: 3, time: now, clock: now))
        _ = Ledger.loss(of: ledger, against: expectation, today: day, now: now)
      } catch let error as QuotaStoreError {
        try claimSentence(error.message, limit: 2000)
      }
    }
  }
}
