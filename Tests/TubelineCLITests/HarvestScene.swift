import Messages

@testable import TubelineCLI

/// Makes what a harvest meets.
protocol HarvestScene {}

extension HarvestScene {
  func event(_ kind: RequestEvent.Kind, _ id: String = "r", _ change: (inout RequestEvent) -> Void = { _ in }) -> RequestEvent {
    var event = RequestEvent(requestID: id, kind: kind, stage: .videos, at: "2026-01-01T00:00:00Z")
    change(&event)
    return event
  }

  func completed(_ items: Int, _ id: String = "r") -> RequestEvent {
    event(.completed, id) { $0.totals = Totals(pages: 1, items: items, units: 3) }
  }

  func published(_ count: Int = 1) -> HarvestState {
    var state = HarvestState((0..<count).map { (id: count == 1 ? "r" : "r\($0)", name: "name \($0)") })
    _ = state.takeForPublishing()
    return state
  }

  func accept(_ state: inout HarvestState, _ video: String, _ position: Int?, _ id: String = "r") -> Bool {
    state.accept(requestID: id, .init(videoID: video, position: position), isAvailable: true)
  }
}
