import Quota
import QuotaStores

/// Reserves from one store until its time or its number is over.
struct Hammer {
  let options: HammerOptions
  private var grantedByDay: [Int: Int] = [:]
  private var denied = 0
  private var errors = 0

  init(options: HammerOptions) { self.options = options }

  mutating func run() async throws -> String {
    let calendar = try options.period.map(QuotaCalendar.fixedPeriod) ?? QuotaCalendar.pacific()
    let offset = Int(options.offset / .milliseconds(1))
    let time = HostTime { HostTime.system.now() + offset }
    let store = try await QuotaStoreURL.open(options.store, calendar: calendar, prefix: options.prefix, time: time)
    let policy = QuotaPolicy(limits: [.default: options.limit])
    let begin = ContinuousClock.now
    let end = options.seconds.map { begin + .seconds($0) }
    var left = options.count ?? .max
    while left > 0, end.map({ ContinuousClock.now < $0 }) ?? true {
      left -= 1
      do throws(QuotaStoreError) {
        switch try await store.reserve(.default, cost: 1, policy: policy) {
        case .granted(let grant): grantedByDay[grant.day.start, default: 0] += 1
        case .denied(let denial):
          denied += 1
          try? await Task.sleep(for: min(denial.retryAfter, .milliseconds(5)))
        }
      } catch {
        errors += 1
        complain(error.message)
        if !error.isRetriable { break }
      }
    }
    let elapsed = ContinuousClock.now - begin
    await store.close()
    return report(seconds: elapsed / .seconds(1))
  }

  private func report(seconds: Double) -> String {
    let days = grantedByDay.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    let granted = grantedByDay.values.reduce(0, +)
    let rate = Int(Double(granted + denied) / max(seconds, 0.001))
    return "{\"grantedByDay\":{\(days)},\"granted\":\(granted),\"denied\":\(denied),\"errors\":\(errors),"
      + "\"seconds\":\(seconds),\"perSecond\":\(rate)}"
  }
}
