extension Int {
  /// The sum, or the largest number: counts in messages may be anything up to 2⁵³, and there may be many of them.
  public func addingClamped(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }
}
