/// Joins channel look-ups of concurrent callers: ids go 50 to a call, and the same id, handle or user name is asked for once at a time.
///
/// A look-up belongs to all its callers: it goes on while one of them waits, and is cancelled with the last. If the API refuses a batch
/// as a whole, its halves are asked for apart, so that one odd id does not spoil the others.
public actor ChannelBatcher {
  /// How many ids go into a call.
  public static let capacity = IDBatches.limit

  private enum Key: Hashable {
    case id(String)
    case handle(String)
    case username(String)
  }
  private typealias Outcome = Result<Channel?, APIFailure>
  private typealias Waiter = CheckedContinuation<Outcome, Never>

  /// One call to the API, made or about to be made, for one or more keys.
  private struct Flight {
    var keys: [Key]
    var isOpen: Bool
    /// The linger, then the call.
    var task: Task<Void, Never>?
  }

  private let client: YouTubeClient
  private let linger: Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private var flights: [Int: Flight] = [:]
  private var flightOfKey: [Key: Int] = [:]
  private var waiters: [Key: [Int: Waiter]] = [:]
  private var openFlight: Int?
  private var lastNumber = 0

  /// `linger` is how long the first id waits for others; `sleep` is the clock's.
  public init(
    client: YouTubeClient, linger: Duration = .milliseconds(20),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.client = client
    self.linger = linger
    self.sleep = sleep
  }

  /// The channel with this id; `nil` if there is none.
  public func channel(id: String) async throws(APIFailure) -> Channel? {
    guard ResourceID.isPlausible(id) else { return nil }
    return try await wait(for: .id(id)).get()
  }

  /// The channel with this handle, with or without `@`; `nil` if there is none.
  public func channel(forHandle handle: String) async throws(APIFailure) -> Channel? {
    let name = handle.hasPrefix("@") ? String(handle.dropFirst()) : handle
    return try await wait(for: .handle(NameText.folded(name))).get()
  }

  /// The channel with this legacy user name; `nil` if there is none.
  public func channel(forUsername username: String) async throws(APIFailure) -> Channel? {
    try await wait(for: .username(NameText.folded(username))).get()
  }

  /// Callers that wait now.
  public var waitingCount: Int { waiters.values.reduce(0) { $0 + $1.count } }

  private func wait(for key: Key) async -> Outcome {
    let token = nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled {
          waiter.resume(returning: .failure(.cancelled))
          return
        }
        waiters[key, default: [:]][token] = waiter
        join(key)
      }
    } onCancel: {
      Task { await self.leave(key, token) }
    }
  }

  private func join(_ key: Key) {
    if flightOfKey[key] != nil { return }
    guard case .id = key else {
      let number = nextNumber()
      flights[number] = Flight(keys: [key], isOpen: false)
      flightOfKey[key] = number
      start(number)
      return
    }
    let number = openFlight ?? openNewFlight()
    flights[number]?.keys.append(key)
    flightOfKey[key] = number
    if flights[number]?.keys.count == Self.capacity { start(number) }
  }

  private func openNewFlight() -> Int {
    let number = nextNumber()
    openFlight = number
    let task = Task {
      // Cancelled means that the flight has started by being full, or that nobody waits any more.
      do { try await sleep(linger) } catch { return }
      start(number)
    }
    flights[number] = Flight(keys: [], isOpen: true, task: task)
    return number
  }

  private func start(_ number: Int) {
    guard let flight = flights[number], flight.isOpen || flight.task == nil else { return }
    flight.task?.cancel()
    flights[number]?.isOpen = false
    if openFlight == number { openFlight = nil }
    let keys = flight.keys
    flights[number]?.task = Task { await self.call(number, keys) }
  }

  private func call(_ number: Int, _ keys: [Key]) async {
    switch keys.first {
    case .handle(let name):
      await settleOne(keys[0], number) { () async throws(APIFailure) in try await self.client.channel(forHandle: name) }
    case .username(let name):
      await settleOne(keys[0], number) { () async throws(APIFailure) in try await self.client.channel(forUsername: name) }
    case .id: await settle(ids: keys.compactMap { if case .id(let id) = $0 { id } else { nil } }[...], number)
    case nil: break
    }
    flights[number] = nil
  }

  private func settleOne(_ key: Key, _ number: Int, _ call: () async throws(APIFailure) -> Channel?) async {
    do throws(APIFailure) {
      finish(key, number, .success(try await call()))
    } catch {
      finish(key, number, .failure(error))
    }
  }

  private func settle(ids: ArraySlice<String>, _ number: Int) async {
    do throws(APIFailure) {
      let found = Dictionary(try await client.channels(ids: Array(ids)).map { ($0.id, $0) }) { first, _ in first }
      for id in ids { finish(.id(id), number, .success(found[id])) }
    } catch {
      switch error {
      case .rejected where ids.count > 1, .notFound where ids.count > 1:
        let middle = ids.startIndex + ids.count / 2
        await settle(ids: ids[..<middle], number)
        await settle(ids: ids[middle...], number)
      default:
        for id in ids { finish(.id(id), number, .failure(error)) }
      }
    }
  }

  // An abandoned flight has no say in a later one for the same key.
  private func finish(_ key: Key, _ number: Int, _ outcome: Outcome) {
    guard flightOfKey[key] == number else { return }
    flightOfKey[key] = nil
    for waiter in (waiters.removeValue(forKey: key) ?? [:]).values { waiter.resume(returning: outcome) }
  }

  private func leave(_ key: Key, _ token: Int) {
    guard let waiter = waiters[key]?.removeValue(forKey: token) else { return }
    waiter.resume(returning: .failure(.cancelled))
    guard waiters[key]?.isEmpty == true else { return }
    waiters[key] = nil
    abandon(key)
  }

  // Nobody waits for the key any more: it leaves a flight that has not started, and ends one that has no other key.
  private func abandon(_ key: Key) {
    guard let number = flightOfKey[key], let flight = flights[number] else { return }
    if flight.isOpen {
      flights[number]?.keys.removeAll { $0 == key }
      flightOfKey[key] = nil
    }
    guard !flight.keys.contains(where: { flightOfKey[$0] == number && waiters[$0] != nil }) else { return }
    // A later caller must not join a flight that is being cancelled.
    for other in flight.keys where flightOfKey[other] == number { flightOfKey[other] = nil }
    if openFlight == number { openFlight = nil }
    flights[number] = nil
    flight.task?.cancel()
  }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
