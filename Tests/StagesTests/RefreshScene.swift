import JSON
import Messages
import Pipeline
import Quota
import Stages
import Synchronization
import TestSupport
import YouTubeAPI

/// A channel whose uploads a test changes, listed by the stages with watermarks in memory.
final class RefreshScene: Sendable {
  struct Entry: Sendable {
    let id: String
    var availability = "public"
    var date = "2026-01-01T00:00:00Z"
  }

  /// What a listing came to.
  struct Result: Sendable {
    var pages = 0
    var outputs: [OutgoingMessage] = []

    var records: [String] { outputs[.videoRecords].compactMap { $0["videoId"]?.string } }
    var ending: JSONTree { outputs.last { $0.topic == .requestEvents }?.json ?? .null }
  }

  let uploads: Mutex<[Entry]>
  let time = ManualTime(1_796_000_000_000)
  let store: FlakyWatermarkStore
  let clock = ManualClock()
  /// Pages that the API was asked for.
  let calls = Mutex(0)
  let policy: RefreshPolicy
  private let requests = Mutex(0)

  /// - Parameter count: the uploads are v<count-1> … v0, the newest first.
  init(_ count: Int, _ policy: RefreshPolicy = RefreshPolicy()) {
    uploads = Mutex((0..<count).reversed().map { Entry(id: "v\($0)") })
    store = FlakyWatermarkStore(MemoryWatermarkStore(time: time.hostTime))
    self.policy = policy
  }

  func add(_ ids: String..., at place: Int = 0) { uploads.withLock { $0.insert(contentsOf: ids.map { Entry(id: $0) }, at: place) } }
  func remove(_ ids: Set<String>) { uploads.withLock { $0.removeAll { ids.contains($0.id) } } }
  func change(_ id: String, to availability: String) {
    uploads.withLock { entries in
      for index in entries.indices where entries[index].id == id { entries[index].availability = availability }
    }
  }

  var watermark: Watermark? { get async throws { try await store.read("UUx").watermark } }

  var harness: StageHarness {
    StageHarness(
      ScriptedTransport { [self] request in
        if request.path.hasSuffix("/videos") {
          return StageHarness.videoList((request.parameter("id") ?? "").split(separator: ",").map(String.init))
        }
        calls.withLock { $0 += 1 }
        return page(from: request.parameter("pageToken").flatMap { Int($0) } ?? 0)
      })
  }

  var playlists: PlaylistsStage {
    PlaylistsStage(client: harness.client, watermarks: watermarks, context: harness.context)
  }
  var watermarks: Watermarks { Watermarks(store: store, policy: policy, clock: clock) }
  var videos: VideosStage {
    VideosStage(client: harness.client, watermarks: Watermarks(store: store, policy: policy), context: harness.context)
  }

  private func page(from start: Int) -> ScriptedTransport.Step {
    let all = uploads.withLock { $0 }
    let end = min(start + 50, all.count)
    let items = all[start..<end].enumerated().map { index, entry -> String in
      let isBare = entry.availability == "private"
      let details = isBare ? "" : #","videoPublishedAt":"\#(entry.date)""#
      let title = isBare ? "Private video" : entry.id
      return #"{"snippet":{"title":"\#(title)","position":\#(start + index)},"contentDetails":{"videoId":"\#(entry.id)"\#(details)},"#
        + #""status":{"privacyStatus":"\#(entry.availability)"}}"#
    }
    let next = end < all.count ? #""nextPageToken":"\#(end)","# : ""
    return .json(
      #"{"kind":"youtube#playlistItemListResponse",\#(next)"pageInfo":{"totalResults":\#(all.count)},"items":[\#(items.joined(separator: ","))]}"#
    )
  }

  /// The message that asks for the uploads.
  func message(_ options: (inout RequestOptions) -> Void = { $0.since = "last" }) -> ReceivedMessage {
    let number = requests.withLock { number in
      number += 1
      return number
    }
    var details = ChannelDetails(requestID: "r\(number)", reference: "@x", resolvedBy: .handle, channelID: "UCx", fetchedAt: "")
    details.uploadsPlaylistID = "UUx"
    details.options.enrich = false
    options(&details.options)
    return StageHarness.message(details)
  }

  /// All pages of a listing, from its first message, as the playlists stage makes them. A second passes.
  func pages(_ first: ReceivedMessage) async throws -> [ReceivedMessage] {
    time.set(time.now + 1000)
    var pages: [ReceivedMessage] = []
    var next: ReceivedMessage? = first
    while let message = next {
      let outputs = try await playlists.handle(message)
      pages += outputs.filter { $0.topic == .playlistPages }.map(Self.received)
      next = outputs.first { $0.topic == .playlistRequests }.map(Self.received)
    }
    return pages
  }

  static func received(_ output: OutgoingMessage) -> ReceivedMessage {
    StageHarness.message(output.topic, String(decoding: output.value ?? [], as: UTF8.self))
  }

  /// Handles pages and delivers what they lead to.
  func deliver(_ pages: [ReceivedMessage]) async throws -> Result {
    let stage = videos
    var result = Result(pages: pages.count)
    for page in pages {
      let outputs = try await stage.handle(page)
      result.outputs += outputs
      await stage.delivered(page, outputs)
    }
    return result
  }

  /// The page was given up after its attempts.
  func giveUp(_ page: ReceivedMessage) async {
    let stage = videos
    let rejection = Rejection(.attemptsExhausted, "503")
    let letter = DeadLetter.letter(page, stage: .videos, attempt: 6, because: rejection, at: "2026-01-01T00:00:00Z")
    await stage.delivered(page, stage.farewell(to: page, because: rejection) + [letter])
  }

  @discardableResult
  func list(_ options: (inout RequestOptions) -> Void = { _ in }) async throws -> Result { try await deliver(pages(message(options))) }
  @discardableResult
  func refresh(_ options: (inout RequestOptions) -> Void = { _ in }) async throws -> Result {
    try await list {
      $0.since = "last"
      options(&$0)
    }
  }
}

/// A store that does not answer as often as a test says.
final class FlakyWatermarkStore: WatermarkStore {
  private let store: any WatermarkStore
  private let failures = Mutex<[QuotaStoreError.Code]>([])

  init(_ store: any WatermarkStore) { self.store = store }

  /// Nothing is answered until the gate opens; whoever asks cannot end that.
  let hanging = Mutex<Gate?>(nil)
  let asked = EventLog<String>()

  func failNext(_ codes: QuotaStoreError.Code...) { failures.withLock { $0 += codes } }

  func probe() async throws(QuotaStoreError) { try await store.probe() }

  private func fail() throws(QuotaStoreError) {
    if let code = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw QuotaStoreError(code, "\(code)") }
  }

  func read(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    asked.append("read")
    if let gate = hanging.withLock({ $0 }) { await Task.detached { try? await gate.pass() }.value }
    try fail()
    return try await store.read(list)
  }
  func advance(_ list: String, to listing: CompletedListing) async throws(QuotaStoreError) {
    asked.append("advance")
    try fail()
    try await store.advance(list, to: listing)
  }
  func bar(_ list: String, startedUntil time: Int) async throws(QuotaStoreError) {
    asked.append("bar")
    try fail()
    try await store.bar(list, startedUntil: time)
  }
  func close() async { await store.close() }
}
