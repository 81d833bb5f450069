import JSON
import Messages

/// A request as the API tells it.
struct RequestView {
  let request: CatalogReader.StoredRequest

  init(_ request: CatalogReader.StoredRequest) { self.request = request }

  // The API lists no more of a channel.
  private static let ceiling = 20_000

  func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

  func writeDetails(events: [[UInt8]], failures: [(page: Int, code: String, message: String)], to writer: inout JSONWriter) {
    writer.object { writer in
      writeMembers(to: &writer)
      EventView.write("events", events, to: &writer)
      writer.member(
        "pageFailures",
        array: { writer in
          for failure in failures {
            writer.object { writer in
              writer.member("pageNumber", failure.page)
              ErrorView.write(failure.code, failure.message, to: &writer)
            }
          }
        })
    }
  }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", request.id)
    writer.member("kind", request.kind)
    writer.member("state", request.state)
    writer.member("active", request.isActive)
    writer.member("reference", request.reference)
    writer.member("title", request.title)
    writer.member("channelId", request.channelID)
    writer.member("playlistId", request.playlistID)
    writer.member("pages", pages)
    writer.member("videos", videos)
    writer.member("unavailable", request.unavailable)
    writer.member("expected", expected)
    writer.member("failedPages", request.failedPages)
    writer.member("units", request.units)
    writer.member("searches", request.searches)
    writer.member("begunAt", TimeText.of(request.begun))
    writer.member("updatedAt", TimeText.of(request.updated))
    writer.member("endedAt", request.ended.map(TimeText.of))
    writer.member("cancelRequestedAt", request.cancelRequested.map(TimeText.of))
    writer.member("truncatedBy", request.truncatedBy)
    if request.errorCode != nil || request.errorMessage != nil {
      ErrorView.write(request.errorCode ?? "", request.errorMessage ?? "", to: &writer)
    }
  }

  private var isCompleted: Bool { request.state == RequestEvent.Kind.completed.rawValue }
  private var pages: Int { isCompleted ? request.totalPages ?? request.pages : request.pages }
  private var videos: Int { isCompleted ? request.totalItems ?? request.items : request.items }

  /// By the channel's word, which counts public videos only.
  private var expected: Int? {
    if isCompleted { return request.totalItems }
    guard !request.endsEarly, request.playlistID == nil || request.channelID != nil,
      let most = [request.channelVideos, request.maxVideos].compactMap({ $0 }).min()
    else { return nil }
    return max(min(most, Self.ceiling), request.items)
  }
}

enum ErrorView {
  static func write(_ code: String, _ message: String, to writer: inout JSONWriter) {
    writer.member(
      "error",
      object: { writer in
        writer.member("code", code)
        writer.member("message", message)
      })
  }
}
