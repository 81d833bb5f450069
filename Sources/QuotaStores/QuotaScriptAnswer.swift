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

  /// granted: id, sequence, seen, clock, now, start, end, remaining. denied: the same, then reason and time.
  func reservation(bucket: Bucket, cost: Int) throws(QuotaStoreError) -> (LedgerMemory?, Reservation) {
    let id = try string(1)
    let seen = id.isEmpty ? nil : try memory(from: 1)
    let day = QuotaDay(start: try int(6), end: try int(7))
    switch kind {
    case "granted":
      return (seen, .granted(Grant(bucket: bucket, cost: cost, day: day, remaining: try int(8), ledger: id, time: try int(3))))
    case "denied":
      guard let reason = Denial.Reason(rawValue: try string(9)) else { throw unexpected }
      let denial = Denial(bucket: bucket, reason: reason, at: try int(5), until: try int(10), remaining: try int(8), day: day)
      return (seen, .denied(denial))
    default: throw unexpected
    }
  }

  /// lost: how, then id, sequence, time and clock of the ledger as it is marked now, unless it was marked before.
  func marked() throws(QuotaStoreError) -> LedgerMemory? { values.count > 2 ? try memory(from: 2) : nil }

  /// joined: id, sequence, time and clock; else there is no ledger, or a far later one.
  func joined() throws(QuotaStoreError) -> LedgerMemory? { kind == "joined" ? try memory(from: 1) : nil }

  private func memory(from index: Int) throws(QuotaStoreError) -> LedgerMemory {
    LedgerMemory(id: try string(index), sequence: try int(index + 1), time: try int(index + 2), clock: try int(index + 3))
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
    ledger.writersSince = number("writersSince")
    // An account has these or it is none; the others came with later releases.
    let required = { (name: String) in fields[name].map { Int($0) ?? -1 } ?? -1 }
    for bucket in Bucket.allCases where ["start", "end", "spent"].contains(where: { fields["\(bucket).\($0)"] != nil }) {
      var account = Ledger.Account(day: QuotaDay(start: required("\(bucket).start"), end: required("\(bucket).end")))
      account.spent = required("\(bucket).spent")
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
