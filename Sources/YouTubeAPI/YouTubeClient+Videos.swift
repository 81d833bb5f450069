extension YouTubeClient {
  /// The videos with these ids, in no promised order; private, deleted and unknown ids are left out. One unit for each 50 different ids.
  /// [videos.list](https://developers.google.com/youtube/v3/docs/videos/list)
  public func videos(ids: [String]) async throws(APIFailure) -> [Video] {
    var videos: [Video] = []
    for batch in IDBatches(ids) {
      // maxResults is not allowed beside id here, other than in channels.list.
      let query = [HTTPField("part", Video.part), HTTPField("id", batch.joined(separator: ",")), HTTPField("fields", Video.fields)]
      do throws(APIFailure) {
        videos += try await list(.videosList, query, decode: Video.init).items
      } catch {
        guard case .notFound = error, batch.count == 1 else { throw error }
      }
    }
    return videos
  }
}
