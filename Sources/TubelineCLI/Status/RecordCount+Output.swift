import JSON
import Monitoring

extension RecordCount {
  var text: String { (isExact ? "" : "about ") + Spans.count(records) }

  func json(_ name: String) -> [JSONTree.Member] {
    [.init(name, .int(records))] + (isExact ? [] : [.init(name + "IsEstimate", true)])
  }
}
