/// The ledger that all workers of an installation share. Its own clock decides which day it is.
///
/// Every operation is one atomic step. On any error nothing was granted; the store may still have counted the units.
public protocol QuotaStore: Sendable {
  /// Notes which ledger there is, and enters the process in it, so that a loss is noticed even before the first reservation. To be called
  /// before that, once; makes no ledger.
  func remember() async throws(QuotaStoreError)

  /// Takes `cost` units (1 or more) if the policy allows it now. Throws `dataLoss` when the ledger is not the one seen before.
  func reserve(_ bucket: Bucket, cost: Int, policy: QuotaPolicy) async throws(QuotaStoreError) -> Reservation

  /// Gives a grant's units back, if its day and its ledger are still current; never below zero.
  func refund(_ grant: Grant) async throws(QuotaStoreError)

  /// Grants nothing more of this bucket before the reset: the API says that it is used up. `day` is the day of the refused call's
  /// grant; a refusal that belongs to an earlier day is ignored.
  func exhaust(_ bucket: Bucket, day: QuotaDay?, policy: QuotaPolicy) async throws(QuotaStoreError)

  /// The API answered a call of this day. Counts it, and returns true, if the API had said before that the day's units are used up.
  @discardableResult
  func answered(_ grant: Grant) async throws(QuotaStoreError) -> Bool

  /// Every bucket, in the order of `Bucket.allCases`. Changes nothing.
  func status(_ policy: QuotaPolicy) async throws(QuotaStoreError) -> [BucketStatus]

  /// Tries to write beside the ledger, and compares its time with the clock: throws what hinders every reservation. Counts nothing.
  func probe() async throws(QuotaStoreError)

  /// The operator's word: sets the count, forgets exhaustion, and confirms the ledger after a data loss. Returns the count before.
  @discardableResult
  func set(_ bucket: Bucket, spent: Int) async throws(QuotaStoreError) -> Int

  /// Forgets that the API called the bucket used up; the count stays.
  func clearExhaustion(_ bucket: Bucket) async throws(QuotaStoreError)

  /// Forgets the ledger seen so far, so that the next reservation takes whatever ledger there is, doubted or not.
  func acceptDataLoss() async

  /// Operations after this throw `closed`.
  func close() async
}
