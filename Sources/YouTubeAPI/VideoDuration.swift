/// The ISO 8601 durations that the API writes: `PT4M13S`, `P1DT2H`, `P3W3DT20H31M21S`, `P0D`.
public enum VideoDuration {
  /// Whole seconds; a fraction is cut off. `nil` for anything that is no such duration, and for years and months: their length varies.
  public static func seconds(_ text: String) -> Int? {
    var scanner = Scanner(bytes: Array(text.utf8))
    return scanner.scan()
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    var total = 0

    // Units have to come in falling order, each at most once.
    private static let units: [(letter: UInt8, seconds: Int, isTime: Bool)] = [
      (UInt8(ascii: "W"), 604_800, false), (UInt8(ascii: "D"), 86_400, false),
      (UInt8(ascii: "H"), 3600, true), (UInt8(ascii: "M"), 60, true), (UInt8(ascii: "S"), 1, true),
    ]

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func scan() -> Int? {
      guard bytes.count <= 64, take(UInt8(ascii: "P")) else { return nil }
      var remaining = Self.units[...]
      var isTime = false
      var hasComponent = false
      while position < bytes.count {
        if !isTime, take(UInt8(ascii: "T")) {
          isTime = true
          hasComponent = false
          continue
        }
        guard let (value, hasFraction) = number(), position < bytes.count,
          let index = remaining.firstIndex(where: { $0.letter == bytes[position] && $0.isTime == isTime }),
          !hasFraction || remaining[index].letter == UInt8(ascii: "S"),
          add(value, times: remaining[index].seconds)
        else { return nil }
        position += 1
        remaining = remaining[(index + 1)...]
        hasComponent = true
      }
      return hasComponent ? total : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    private mutating func number() -> (value: Int, hasFraction: Bool)? {
      guard let value = digits() else { return nil }
      guard take(UInt8(ascii: ".")) else { return (value, false) }
      return digits() == nil ? nil : (value, true)
    }

    private mutating func digits() -> Int? {
      let start = position
      var value = 0
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(Int(bytes[position]) - 0x30)
        if overflow || carry { return nil }
        value = sum
        position += 1
      }
      return position > start ? value : nil
    }

    private mutating func add(_ value: Int, times factor: Int) -> Bool {
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      let (sum, carry) = total.addingReportingOverflow(product)
      total = sum
      return !overflow && !carry
    }
  }
}
