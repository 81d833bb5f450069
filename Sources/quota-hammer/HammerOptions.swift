import Quota

/// What the command line asks for.
struct HammerOptions {
  var store = ""
  var limit = 10_000
  var period: Duration?
  var offset = Duration.zero
  var seconds: Double?
  var count: Int?
  var prefix = "tubeline:quota:"

  static let usage = """
    usage: quota-hammer --store URL [--limit N] [--period MS] [--offset MS] [--prefix TEXT] (--seconds S | --count N)
      Reserves single units of the default bucket as fast as it can, and prints one JSON object.
      --period   length of a quota day in milliseconds (default: Pacific days)
      --offset   how wrong this process's clock is, in milliseconds
      --count    ends after so many reservations, granted or denied

    """

  struct UsageError: Error { let message: String }

  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw UsageError(message: "\(name) needs a value") }
      switch name {
      case "--store": store = value
      case "--prefix": prefix = value
      case "--limit": limit = try number(value, name)
      case "--period": period = .milliseconds(try number(value, name))
      case "--offset": offset = .milliseconds(try number(value, name))
      case "--count": count = try number(value, name)
      case "--seconds":
        guard let parsed = Double(value), parsed > 0 else { throw UsageError(message: "--seconds needs a number above 0") }
        seconds = parsed
      default: throw UsageError(message: "unknown option \(name)")
      }
    }
    guard !store.isEmpty, seconds != nil || count != nil else { throw UsageError(message: "--store and --seconds or --count are needed") }
  }
}

private func number(_ text: String, _ name: String) throws(HammerOptions.UsageError) -> Int {
  guard let number = Int(text) else { throw HammerOptions.UsageError(message: "\(name) needs a whole number") }
  return number
}
