import HTTPServer
import JSON

/// The endpoints below /stub/, by which tests steer the stub and ask for the truth.
struct ControlEndpoints: Sendable {
  let state: StubState
  let archive: any Archive

  func answer(_ request: HTTPServer.Request) -> HTTPServer.Response {
    do throws(ControlError) {
      switch (request.method, request.path.dropFirst("/stub/".count)) {
      case ("GET", "statistics"): return Self.json(state.statistics.tree)
      case ("GET", "channels"): return Self.json(.array(archive.channels().map(Self.tree)))
      case ("POST", "faults"): state.add(try Fault(try Self.body(request)))
      case ("DELETE", "faults"): state.clearFaults()
      case ("POST", "reset"): state.reset()
      case ("POST", "quota"): try setQuota(try Self.body(request))
      case ("POST", "videos"): try changeVideos(try Self.body(request))
      default: throw ControlError("no control endpoint \(request.method) \(request.path)", status: 404)
      }
      return HTTPServer.Response(status: 204)
    } catch {
      return .text("youtube-stub: \(error.sentence)\n", status: error.status)
    }
  }

  private func setQuota(_ tree: JSONTree) throws(ControlError) {
    var limits: [QuotaBuckets.Bucket: Int] = [:]
    for member in tree.members ?? [] {
      guard let bucket = QuotaBuckets.Bucket(rawValue: member.key), let limit = member.value.int, limit >= 0 else {
        throw ControlError("\(member.key): the quota buckets are default and search, their limits numbers from 0")
      }
      limits[bucket] = limit
    }
    guard !limits.isEmpty else { throw ControlError("name a bucket, default or search, and its limit") }
    state.setLimits(limits)
  }

  private func changeVideos(_ tree: JSONTree) throws(ControlError) {
    guard let id = tree["channelId"]?.string else { throw ControlError("channelId is missing") }
    let add = tree["add"]?.int
    let remove = try tree["remove"].map { (list) throws(ControlError) in try Self.ids(list) }
    guard add != nil || remove != nil else {
      throw ControlError("add is a number of videos, remove a list of video ids; one of them is needed")
    }
    if let remove {
      switch archive.removeVideos(remove, fromChannel: id) {
      case nil: break
      case .unknownChannel: throw ControlError("there is no channel \(id)", status: 404)
      case .unknownVideo(let video): throw ControlError("the channel has no video \(video)", status: 404)
      }
    }
    if let add {
      guard (0...1_000_000).contains(add) else { throw ControlError("add is within 0...1000000") }
      guard archive.addVideos(add, toChannel: id) else { throw ControlError("there is no channel \(id)", status: 404) }
    }
  }

  private static func ids(_ list: JSONTree) throws(ControlError) -> [String] {
    let ids = list.elements?.compactMap(\.string)
    guard let ids, ids.count == list.elements?.count else { throw ControlError("remove is a list of video ids") }
    return ids
  }

  private static func body(_ request: HTTPServer.Request) throws(ControlError) -> JSONTree {
    do throws(JSONError) { return try JSONTree.parse(request.body) } catch { throw ControlError("the body is no JSON: \(error.reason)") }
  }

  private static func json(_ tree: JSONTree) -> HTTPServer.Response {
    HTTPServer.Response(headers: [HTTPServer.Header("Content-Type", "application/json; charset=UTF-8")], body: tree.bytes())
  }

  private static func tree(_ truth: ChannelTruth) -> JSONTree {
    var tree: JSONTree = ["channelId": .string(truth.channelID)]
    tree["handle"] = truth.handle.map { .string($0) }
    tree["username"] = truth.username.map { .string($0) }
    tree["title"] = .string(truth.title)
    tree["uploadsPlaylistId"] = .string(truth.uploadsPlaylistID)
    tree["videos"] = .int(truth.videos)
    tree["listed"] = .int(truth.listed)
    tree["available"] = .int(truth.available)
    return tree
  }
}
