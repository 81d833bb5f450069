import FoundationEssentials
import Messages
import YouTubeAPI

/// Requests that end before their work is done: cancelled by somebody, or after their time.
extension StageContext {
  /// How the request has ended, so that no unit may be spent on it; `nil` while it is wanted.
  func ending(_ requestID: String, _ options: RequestOptions) -> RequestEvent.Kind? {
    if cancelled.contains(requestID) { return .cancelled }
    return options.expiresAt.map { $0 <= now() } == true ? .expired : nil
  }

  /// Calls the API, which may wait for quota for hours. Returns `nil` when the request ended meanwhile.
  func unlessEnded<Answer: Sendable>(
    _ requestID: String, _ options: RequestOptions, _ call: @escaping @Sendable () async throws(APIFailure) -> Answer
  ) async throws(APIFailure) -> Answer? {
    let result = await withTaskGroup(of: Result<Answer, APIFailure>?.self) { group -> Result<Answer, APIFailure>? in
      group.addTask {
        do throws(APIFailure) { return .success(try await call()) } catch { return .failure(error) }
      }
      group.addTask {
        await waitForEnding(requestID, options)
        return nil
      }
      if let first = await group.next(), let first {
        group.cancelAll()
        return first
      }
      group.cancelAll()
      return await group.next() ?? nil
    }
    switch result {
    // An answer that came all the same is paid for.
    case .success(let answer)?: return answer
    case .failure(.cancelled)? where ending(requestID, options) != nil: return nil
    case .failure(let failure)?: throw failure
    case nil: return nil
    }
  }

  private func waitForEnding(_ requestID: String, _ options: RequestOptions) async {
    guard let expiresAt = options.expiresAt else { return await cancelled.wait(for: requestID) }
    await withTaskGroup { group in
      group.addTask { await cancelled.wait(for: requestID) }
      group.addTask { await sleep(expiresAt.timeIntervalSince(now())) }
      await group.next()
      group.cancelAll()
    }
  }
}
