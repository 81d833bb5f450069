extension YouTubeClient {
  /// The videos with these ids, in no promised order; private, deleted and unknown ids are left out. One unit for each 50 different ids.
  public func videos(ids: [String]) async throws(APIFailure) -> [Video] { [] }
}
