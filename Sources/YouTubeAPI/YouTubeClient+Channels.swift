extension YouTubeClient {
  /// The channels with these ids, in no promised order; unknown ids are left out. One unit for each 50 different ids.
  /// [channels.list](https://developers.google.com/youtube/v3/docs/channels/list)
  public func channels(ids: [String]) async throws(APIFailure) -> [Channel] {
    var found: [Channel] = []
    for batch in IDBatches(ids) {
      do throws(APIFailure) {
        found += try await channels(by: HTTPField("id", batch.joined(separator: ",")))
      } catch {
        // An unknown id gives an empty list; the documents also list a 404, which means the same as long as it can mean only one id.
        guard case .notFound = error, batch.count == 1 else { throw error }
      }
    }
    return found
  }

  /// The channel with this handle, with or without `@`.
  public func channel(forHandle handle: String) async throws(APIFailure) -> Channel? {
    try await single(HTTPField("forHandle", handle.hasPrefix("@") ? handle : "@" + handle))
  }

  /// The channel with this legacy user name.
  public func channel(forUsername username: String) async throws(APIFailure) -> Channel? {
    try await single(HTTPField("forUsername", username))
  }

  private func single(_ filter: HTTPField) async throws(APIFailure) -> Channel? {
    do throws(APIFailure) {
      return try await channels(by: filter).first
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }

  private func channels(by filter: HTTPField) async throws(APIFailure) -> [Channel] {
    let query = [
      HTTPField("part", Channel.part), filter, HTTPField("maxResults", "50"), HTTPField("fields", Channel.fields),
    ]
    return try await list(.channelsList, query, decode: Channel.init).items
  }
}
