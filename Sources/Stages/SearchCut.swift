import Messages
import YouTubeAPI

/// What of an answered page of a search is wanted, and whether a further page is.
struct SearchCut: Sendable {
  /// New results of the wanted kinds in search order, each with its rank.
  private(set) var results: [(position: Int, result: SearchResult)] = []
  private(set) var nextPageToken: String?
  private(set) var truncatedBy: TruncationCause?
  /// With this page.
  private(set) var progress: SearchProgress

  /// The API lists no more videos of a channel by search.
  private static let channelCeiling = 500
  /// Pages without anything new have been seen with a token for the next, which may have something. Each costs one of a hundred searches.
  private static let mostBarren = 3
  /// More than any search needs; a token that goes on is a server's loop.
  private static let mostPages = 100

  init(answer: SearchPage, of step: SearchContinuation) {
    progress = step.progress
    progress.totals.pages += 1
    progress.totals.searches += 1
    progress.read += answer.results.count + answer.skipped
    let isCut = take(answer.results, for: step.request)
    progress.barren = results.isEmpty ? progress.barren + 1 : 0
    nextPageToken = answer.nextPageToken.flatMap { $0.isEmpty || $0 == step.pageToken ? nil : $0 }
    if progress.barren >= Self.mostBarren || step.pageNumber >= Self.mostPages { nextPageToken = nil }
    if step.request.parameters[.channelId] != nil, step.request.kinds == [.video], progress.read >= Self.channelCeiling {
      truncatedBy = .ceiling
      nextPageToken = nil
    } else if progress.found.all >= step.request.maxResults, isCut || nextPageToken != nil {
      truncatedBy = .maxResults
      nextPageToken = nil
    }
  }

  /// Returns whether something was left out that was wanted.
  private mutating func take(_ found: [SearchResult], for request: SearchRequest) -> Bool {
    var seen = Set(progress.seen)
    for result in found {
      // The first result for a phrase may be of another kind, whatever was asked for.
      guard let kind = SearchRequest.Kind(rawValue: result.kind.rawValue), request.kinds.contains(kind), !seen.contains(result.id) else {
        continue
      }
      guard progress.found.all < request.maxResults else { return true }
      seen.insert(result.id)
      results.append((progress.found.all, result))
      progress.seen.append(result.id)
      progress.found.count(kind)
    }
    return false
  }

  /// The videos among the results.
  var items: [PlaylistPage.Item] {
    results.filter { $0.result.kind == .video }.map { position, result in
      // A search lists nothing but what is public.
      var item = PlaylistPage.Item(videoID: result.id, availability: .public)
      item.position = position
      item.title = result.title
      item.description = result.description
      item.publishedAt = result.publishedAt
      item.channelID = result.channelID
      item.channelTitle = result.channelTitle
      item.thumbnails = ThumbnailSet(result.thumbnails)
      return item
    }
  }
}
