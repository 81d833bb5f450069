extension YouTubeClient {
  /// The channels with these ids, in no promised order; unknown ids are left out. One unit for each 50 different ids.
  public func channels(ids: [String]) async throws(APIFailure) -> [Channel] { [] }

  /// The channel with this handle, with or without `@`.
  public func channel(forHandle handle: String) async throws(APIFailure) -> Channel? { nil }

  /// The channel with this legacy user name.
  public func channel(forUsername username: String) async throws(APIFailure) -> Channel? { nil }
}
