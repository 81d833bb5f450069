import Messages

/// Messages a second of each stage, from what its workers say they have taken since they started.
struct RateMeter: Sendable {
  private struct Reading {
    var totals: [String: Int] = [:]
    var at: Int
  }

  private var readings: [Reading] = []
  private var stages: [String: StageName] = [:]

  // Workers report every five seconds; a longer look makes the rate steady.
  private static let window = 30_000

  /// - Parameter now: milliseconds since 1970.
  mutating func note(_ workers: [WorkerReport], at now: Int) {
    for worker in workers { stages[Self.name(worker)] = worker.stage }
    let totals = Dictionary(workers.map { (Self.name($0), $0.totals.consumed) }, uniquingKeysWith: max)
    readings.append(Reading(totals: totals, at: now))
    readings.removeAll { $0.at < now - Self.window }
    let alive = Set(readings.flatMap(\.totals.keys))
    stages = stages.filter { alive.contains($0.key) }
  }

  // A worker that was started again counts from zero, under its own name.
  private static func name(_ worker: WorkerReport) -> String { "\(worker.key)/\(worker.startedAt ?? "")" }

  func rate(_ stage: StageName) -> Double {
    guard let first = readings.first, let last = readings.last, last.at > first.at else { return 0 }
    let messages = last.totals.reduce(0.0) { sum, entry in
      guard stages[entry.key] == stage else { return sum }
      // One that has just appeared has done all of it since, or a part of it before anybody looked.
      let before = readings.lazy.compactMap { $0.totals[entry.key] }.first ?? entry.value
      return sum + Double(max(0, entry.value - before))
    }
    return messages * 1000 / Double(last.at - first.at)
  }
}
