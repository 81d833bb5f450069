import JSON
import Messages
import Monitoring

extension WorkerReport {
  /// As reported, and the word.
  var json: JSONTree {
    guard let tree = try? JSONTree.parse(bytes), case .object(var members) = tree else { return .null }
    members.insert(JSONTree.Member("state", .string(activity.rawValue)), at: min(2, members.count))
    return .object(members)
  }
}
