extension Ledger.Account {
  /// Whether an operator has said since then what is spent.
  func isConfirmed(since time: Int) -> Bool { confirmedAt > 0 && confirmedAt >= time }

  func remaining(of limit: Int, at time: Int) -> Int { exhaustedUntil > time ? 0 : max(0, limit - spent) }

  /// The first reason not to grant, and when it ends.
  func obstacle(cost: Int, terms: QuotaTerms, at time: Int) -> (Denial.Reason, until: Int)? {
    if exhaustedUntil > time { return (.exhaustedByAPI, exhaustedUntil) }
    let need = spent + cost
    if need > terms.limit { return (.usedUp, day.end) }
    if need > terms.usable { return (.reserve, day.end) }
    if let allowance = terms.allowance {
      let accruing = terms.usable - allowance
      if need > allowance + accruing * (time - day.start) / day.length {
        return (.pacing, day.start + ((need - allowance) * day.length).ceilingDivision(by: accruing))
      }
    }
    if let interval = terms.requestInterval {
      let earliest = nextRequest - (terms.requestBurst - 1) * interval
      if earliest > time * 1000 { return (.requestsPerMinute, earliest.ceilingDivision(by: 1000)) }
    }
    return nil
  }

  mutating func spend(_ cost: Int, terms: QuotaTerms, at time: Int) {
    spent += cost
    if let interval = terms.requestInterval { nextRequest = max(nextRequest, time * 1000) + interval }
  }
}
