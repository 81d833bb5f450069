import Quota
import Redis

/// What a script replied: a word, then values by position.
struct QuotaScriptAnswer {
  private let values: [RedisValue]

  init(_ reply: RedisValue) { values = reply.array ?? [] }

  var kind: String { values.first?.string ?? "" }

  func string(_ index: Int) throws(QuotaStoreError) -> String {
    guard values.indices.contains(index), let text = values[index].string else { throw unexpected }
    return text
  }

  func int(_ index: Int) throws(QuotaStoreError) -> Int {
    guard values.indices.contains(index), let number = values[index].int, Ledger.range.contains(number) else { throw unexpected }
    return number
  }

  /// granted: id, sequence, seen, now, start, end, remaining. denied: the same, then reason and time.
  func reservation(bucket: Bucket, cost: Int) throws(QuotaStoreError) -> (LedgerMemory?, Reservation) {
    let id = try string(1)
    let seen = id.isEmpty ? nil : LedgerMemory(id: id, sequence: try int(2), time: try int(3))
    let day = QuotaDay(start: try int(5), end: try int(6))
    switch kind {
    case "granted":
      return (seen, .granted(Grant(bucket: bucket, cost: cost, day: day, remaining: try int(7), ledger: id)))
    case "denied":
      guard let reason = Denial.Reason(rawValue: try string(8)) else { throw unexpected }
      let denial = Denial(bucket: bucket, reason: reason, at: try int(4), until: try int(9), remaining: try int(7), day: day)
      return (seen, .denied(denial))
    default: throw unexpected
    }
  }

  /// lost: how, then id, sequence and time of the ledger as it is marked now, unless it was marked before.
  func marked() throws(QuotaStoreError) -> LedgerMemory? {
    values.count > 2 ? LedgerMemory(id: try string(2), sequence: try int(3), time: try int(4)) : nil
  }

  /// The server's time and the stored hash, which is under that key.
  func ledger(key: String) throws(QuotaStoreError) -> (now: Int, Ledger) {
    let now = try int(0)
    var fields: [String: String] = [:]
    for index in stride(from: 1, to: values.count - 1, by: 2) { fields[try string(index)] = try string(index + 1) }
    let number = { (name: String) in fields[name].map { Int($0) ?? -1 } ?? 0 }
    var ledger = Ledger(id: fields["id"] ?? "")
    ledger.sequence = number("sequence")
    ledger.time = number("time")
    ledger.doubtedUntil = number("doubtedUntil")
    for bucket in Bucket.allCases where fields["\(bucket).start"] != nil {
      var account = Ledger.Account(day: QuotaDay(start: number("\(bucket).start"), end: number("\(bucket).end")))
      account.spent = number("\(bucket).spent")
      account.exhaustedUntil = number("\(bucket).until")
      account.drift = number("\(bucket).drift")
      account.nextRequest = number("\(bucket).next")
      account.contradictions = number("\(bucket).contradictions")
      account.confirmedAt = number("\(bucket).confirmed")
      ledger.accounts[bucket] = account
    }
    do throws(QuotaStoreError) { try ledger.check() } catch { throw .foreignNumbers(in: key) }
    return (now, ledger)
  }

  private var unexpected: QuotaStoreError {
    let word = String(kind.unicodeScalars.prefix(50))
    return QuotaStoreError(.refused, "The quota store answered something that is no ledger's reply (\(word)).")
  }
}
