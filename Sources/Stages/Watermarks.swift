import FoundationEssentials
import Messages
import Pipeline
public import Quota
public import Telemetry
import YouTubeAPI

/// What listings know of earlier ones: it is read when a listing begins, and moves when the last records are delivered.
public struct Watermarks: Sendable {
  private let store: any WatermarkStore
  private let reader: WatermarkReader
  let policy: RefreshPolicy
  private let bars = UntoldBars()
  private let clock: any Clock<Duration>
  private let logger: Logger

  public init(
    store: any WatermarkStore, policy: RefreshPolicy = RefreshPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = .silent
  ) {
    self.store = store
    self.policy = policy
    self.clock = clock
    self.logger = logger
    reader = WatermarkReader(store: store, clock: clock, logger: logger)
  }

  /// Listings that wait for a store that is away.
  public var waiting: Int { reader.waiting }

  /// Ends every wait for the store at once, for a shutdown.
  public func stopWaiting() { reader.stopWaiting() }

  /// Gives a listing what its pages have to know, before its first page is fetched: listings are in the order of what they saw, and what is
  /// wrong with the store must not cost a unit.
  ///
  /// A refresh needs its watermark and waits for it, until its request ends; any other listing goes on without, and moves none.
  func begin(_ listing: inout Listing, of list: String, _ context: StageContext) async throws(StageFailure) {
    guard listing.options.since != nil else {
      do throws(QuotaStoreError) { start(&listing, try await reader.readOnce(list)) } catch {
        logger.warning("The watermark cannot be read: this listing will not move it", ["error": .string(error.message)])
      }
      return
    }
    let reading: Result<WatermarkReading, QuotaStoreError>?
    do throws(APIFailure) {
      reading = try await context.unlessEnded(listing.requestID, listing.options) { [reader] in
        do throws(QuotaStoreError) { return .success(try await reader.readWaiting(list)) } catch { return .failure(error) }
      }
    } catch { throw StageFailure(error) }
    switch reading {
    case .success(let reading)?: start(&listing, reading)
    case .failure(let error)?:
      if context.ending(listing.requestID, listing.options) == nil { throw Self.failure(error) }
    case nil: return
    }
  }

  private func start(_ listing: inout Listing, _ reading: WatermarkReading) {
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
    guard !bars.covers(list, startedAt: startedAt.milliseconds) else { return }
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
    let time = startedAt.milliseconds
    bars.add(list, startedUntil: time)
    let isDone = await perform(page, isDispensable: false, orSay: "The store cannot be told yet that a page was left out") {
      store throws(QuotaStoreError) in try await store.bar(list, startedUntil: time)
    }
    if isDone { bars.told(list, startedUntil: time) } else if bars.beginTelling() { tellBarsLater() }
  }

  private func tellBarsLater() {
    Task { [self] in
      await reader.untilStopped {
        repeat {
          do { try await clock.sleep(for: .seconds(5) * Double.random(in: 0.5...1)) } catch { return }
          await tellBars()
        } while !bars.endTelling()
      }
    }
  }

  private func tellBars() async {
    for (list, time) in bars.all {
      do throws(QuotaStoreError) {
        try await store.bar(list, startedUntil: time)
        reader.told(nil)
        bars.told(list, startedUntil: time)
        logger.notice("The store has been told of the pages that were left out", ["playlist.id": .string(list)])
      } catch {
        reader.told(error)
        // What is wrong with one list's key says nothing of others.
        if error.code != .foreignValue { return }
      }
    }
  }

  /// Tries once more to tell the store what it could not be told before.
  public func close() async {
    stopWaiting()
    await tellBars()
    for list in bars.all.keys.sorted() {
      logger.warning(
        "The store does not know that a page was left out: a refresh may take it for published", ["playlist.id": .string(list)])
    }
  }

  // A store that is away holds a delivery up for its time limit, and a shutdown once. What is not dispensable is tried again all the same.
  @discardableResult
  private func perform(
    _ page: PlaylistPage, isDispensable: Bool = true, orSay complaint: StaticString,
    _ step: (any WatermarkStore) async throws(QuotaStoreError) -> Void
  ) async -> Bool {
    do throws(QuotaStoreError) {
      if isDispensable, reader.isHopeless { throw QuotaStoreError(.unreachable, "The quota store is away, and the worker ends.") }
      try await WatermarkReader.twice(evenAfterTimeout: !isDispensable) { () throws(QuotaStoreError) in try await step(store) }
      reader.told(nil)
      return true
    } catch {
      reader.told(error)
      logger.warning(
        complaint,
        ["playlist.id": .string(page.listing.playlistID ?? ""), "request.id": .string(page.listing.requestID), "error": "\(error)"])
      return false
    }
  }

  private static func failure(_ error: QuotaStoreError) -> StageFailure {
    switch error.code {
    // What is under one key concerns one list. Reading all of it instead would be cheap to write, and might cost hundreds of units that
    // nobody asked for; a dead letter costs none and can be replayed.
    case .foreignValue:
      .reject(
        Rejection(.attemptsExhausted, "The watermark cannot be read, and nothing was spent. \(error.message) Then replay this letter."))
    case .unreachable, .closed: .cancelled
    default: .stop(fix: "Let the workers read and write watermarks in the quota store: \(error.message)")
    }
  }
}

extension Date {
  fileprivate init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
  /// Of a date that a message told, which has four digits of a year.
  fileprivate var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}
