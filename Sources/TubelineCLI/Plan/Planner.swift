import Messages
import Stages
import YouTubeAPI

/// Finds out how much there is behind each name.
struct Planner: Sendable {
  let client: YouTubeClient
  let gate: OneShotGate
  let options: RequestOptions

  /// Names are looked up at the same time, so that ids share calls; the order stays.
  func items(_ entries: [ReferenceList.Entry]) async -> [HarvestPlan.Item] {
    let resolver = ChannelResolver(client: client, batcher: ChannelBatcher(client: client))
    var items: [HarvestPlan.Item] = []
    for start in stride(from: 0, to: entries.count, by: 200) {
      let batch = entries[start..<min(start + 200, entries.count)]
      items += await withTaskGroup(of: (Int, HarvestPlan.Item).self) { group in
        for (index, entry) in batch.enumerated() { group.addTask { (index, await item(entry, resolver)) } }
        var found: [(Int, HarvestPlan.Item)] = []
        for await result in group { found.append(result) }
        return found.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }
    return items
  }

  private func item(_ entry: ReferenceList.Entry, _ resolver: ChannelResolver) async -> HarvestPlan.Item {
    var item = HarvestPlan.Item(name: entry.name.text)
    do throws(APIFailure) {
      if case .playlist(let id) = entry.reference {
        item.videos = try await client.playlistItems(playlistID: id, maxResults: 1).totalResults ?? 0
        return item
      }
      let resolution = try await resolver.resolve(entry.reference, allowSearch: options.allowSearch)
      item.resolvingUnits = resolution.units
      guard let channel = resolution.channel else {
        item.problem = "not found"
        return item
      }
      item.title = channel.title
      item.videos = channel.videoCount ?? 0
    } catch {
      // Of a playlist a harvest learns it by a call of its own.
      if case .playlist = entry.reference, case .notFound = error { item.resolvingUnits = 1 }
      item.problem = problem(error)
    }
    return item
  }

  private func problem(_ failure: APIFailure) -> String {
    switch failure {
    case .notFound: "not found"
    case .cancelled, .quota: gate.refusal ?? "cancelled"
    case .configuration(_, let fix): fix
    case .transient(let error), .rejected(let error): error.description
    }
  }
}
