import Foundation
import FoundationNetworking
import JSON

/// A small HTTP client: answers as status and bytes.
enum HTTP {
  struct Answer: Sendable {
    let status: Int
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  static func send(_ method: String, _ address: String, _ body: JSONTree? = nil, type: String? = nil) async throws -> Answer {
    guard let url = URL(string: address) else { throw Unmet("no address: \(address)") }
    var request = URLRequest(url: url, timeoutInterval: 20)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.bytes()) }
    if let type { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: Array(data))
  }
}

/// The stub's control endpoints.
struct StubControl: Sendable {
  let address: String

  /// What the stub says a channel holds.
  struct Truth: Sendable {
    let channelID: String
    let uploadsPlaylistID: String
    let videos: Int
    let listed: Int
    let available: Int
  }

  struct Statistics: Sendable {
    let calls: [String: Int]
    let units: [String: Int]
    let rejected: Int
  }

  @discardableResult
  func send(_ method: String, _ path: String, _ body: JSONTree? = nil) async throws -> JSONTree {
    let answer = try await HTTP.send(method, "\(address)/stub/\(path)", body)
    guard answer.status == 200 || answer.status == 204 else { throw Unmet("stub \(path): \(answer.status) \(answer.text)") }
    return answer.body.isEmpty ? .null : try JSONTree.parse(answer.body)
  }

  func fault(_ fault: JSONTree) async throws { try await send("POST", "faults", fault) }
  func clearFaults() async throws { try await send("DELETE", "faults") }

  func truths() async throws -> [Truth] { try await channels().map(\.truth) }

  /// The channel with that handle, `@` included.
  func truth(_ handle: String) async throws -> Truth {
    guard let channel = try await channels().first(where: { $0.handle?.lowercased() == handle.lowercased() }) else {
      throw Unmet("the stub has no channel \(handle)")
    }
    return channel.truth
  }

  private func channels() async throws -> [(handle: String?, truth: Truth)] {
    try await (send("GET", "channels").elements ?? []).map { channel in
      func number(_ name: String) -> Int { channel[name]?.int ?? -1 }
      return (
        channel["handle"]?.string,
        Truth(
          channelID: channel["channelId"]?.string ?? "", uploadsPlaylistID: channel["uploadsPlaylistId"]?.string ?? "",
          videos: number("videos"), listed: number("listed"), available: number("available"))
      )
    }
  }

  func statistics() async throws -> Statistics {
    let answer = try await send("GET", "statistics")
    func numbers(_ name: String) -> [String: Int] {
      Dictionary((answer[name]?.members ?? []).map { ($0.key, $0.value.int ?? 0) }) { $1 }
    }
    return Statistics(calls: numbers("calls"), units: numbers("units"), rejected: numbers("rejected").values.reduce(0, +))
  }

  /// Returns when the stub has counted that many units: a unit is granted before its call arrives here.
  func spends(_ units: Int, of bucket: String = "default", within limit: Duration = .seconds(10)) async throws {
    let deadline = ContinuousClock.now + limit
    var seen = -1
    repeat {
      seen = try await statistics().units[bucket] ?? 0
      if seen == units { return }
    } while seen < units && ContinuousClock.now < deadline
    throw Unmet("the stub counted \(seen) units of \(bucket), not \(units)")
  }

  /// One call of the API itself.
  func api(_ path: String) async throws -> JSONTree {
    try JSONTree.parse(try await HTTP.send("GET", "\(address)/youtube/v3/\(path)&key=reader").body)
  }
}
