import FoundationEssentials
import Messages
import Pipeline
public import Quota
public import Telemetry

/// What listings know of earlier ones: it is read when a listing begins, and moves when the last records are delivered.
public struct Watermarks: Sendable {
  private let store: any WatermarkStore
  let policy: RefreshPolicy
  private let logger: Logger

  public init(store: any WatermarkStore, policy: RefreshPolicy = RefreshPolicy(), logger: Logger = .silent) {
    self.store = store
    self.policy = policy
    self.logger = logger
  }

  /// The list's watermark; `nil` when the store does not answer.
  func reading(of list: String) async -> WatermarkReading? { try? await store.read(list) }

  /// Gives a listing, at its first page, what its pages have to know.
  ///
  /// - Parameter earlier: the reading from before the page was fetched, so that listings are in the order of what they saw. A store that
  ///   was away then is asked again: the call was let through by the same store.
  func begin(_ listing: inout Listing, of list: String, _ earlier: WatermarkReading?) async throws(StageFailure) {
    var reading = earlier
    if reading == nil {
      do throws(QuotaStoreError) { reading = try await store.read(list) } catch {
        guard listing.options.since == nil else { throw Self.failure(error) }
        logger.warning("The watermark cannot be read: this listing will not move it", ["error": .string(error.message)])
      }
    }
    guard let reading else { return }
    listing.startedAt = Date(milliseconds: reading.now)
    listing.newest = KnownEntries()
    guard listing.options.since != nil, let watermark = reading.watermark, !watermark.ids.isEmpty, !isFullPassDue(reading) else { return }
    listing.refresh = Refresh(
      known: KnownEntries(ids: watermark.ids, unavailable: watermark.unavailable), lookBack: policy.lookBack)
  }

  private func isFullPassDue(_ reading: WatermarkReading) -> Bool {
    guard let interval = policy.fullPassAfter else { return false }
    guard let last = reading.watermark?.fullPassAt else { return true }
    return Double(reading.now - last) >= interval.seconds * 1000
  }

  /// The last records of the listing are delivered.
  func completed(_ page: PlaylistPage) async {
    guard let list = page.listing.playlistID, let newest = page.listing.newest, let startedAt = page.listing.startedAt else { return }
    let listing = CompletedListing(
      ids: newest.ids, unavailable: newest.unavailable, startedAt: startedAt.milliseconds, isFullPass: page.fullPass)
    let isDone = await perform(page, orSay: "The watermark was not moved: the next refresh will read further") {
      store throws(QuotaStoreError) in try await store.advance(list, to: listing)
    }
    guard isDone else { return }
    logger.debug(
      "Listing remembered",
      [
        "playlist.id": .string(list), "request.id": .string(page.listing.requestID), "watermark.entries": .int(newest.ids.count),
        "watermark.full_pass": .bool(page.fullPass),
      ])
  }

  /// A page of the listing leads to no records: what it had is not known. No harm if it is told too early.
  func leftOut(_ page: PlaylistPage) async {
    guard let list = page.listing.playlistID, let startedAt = page.listing.startedAt else { return }
    logger.notice(
      "A page was left out: its listing will not move the watermark",
      ["playlist.id": .string(list), "request.id": .string(page.listing.requestID), "page.number": .int(page.pageNumber)])
    await perform(page, orSay: "The store does not know that a page was left out: a refresh may take it for published") {
      store throws(QuotaStoreError) in try await store.bar(list, startedUntil: startedAt.milliseconds)
    }
  }

  // Twice, since a connection that was idle may be found broken. A store that is away holds no delivery up for longer.
  @discardableResult
  private func perform(
    _ page: PlaylistPage, orSay complaint: StaticString, _ step: (any WatermarkStore) async throws(QuotaStoreError) -> Void
  ) async -> Bool {
    do throws(QuotaStoreError) {
      do throws(QuotaStoreError) { try await step(store) } catch {
        guard error.isRetriable, !Task.isCancelled else { throw error }
        try await step(store)
      }
      return true
    } catch {
      logger.warning(
        complaint,
        ["playlist.id": .string(page.listing.playlistID ?? ""), "request.id": .string(page.listing.requestID), "error": "\(error)"])
      return false
    }
  }

  private static func failure(_ error: QuotaStoreError) -> StageFailure {
    switch error.code {
    case .unreachable: .retry(after: nil, Rejection(.attemptsExhausted, "The watermark cannot be read: \(error.message)"))
    case .closed: .cancelled
    default: .stop(fix: "Let the workers read and write watermarks in the quota store: \(error.message)")
    }
  }
}

extension Date {
  fileprivate init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
  /// Of a date that a message told, which has four digits of a year.
  fileprivate var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}
