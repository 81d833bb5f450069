/// What an answer that is no result means for the call.
enum Verdict: Equatable {
  /// The method's daily bucket is used up. `isLimitZero`: the API says that the limit itself is 0.
  case dailyQuota(APIError, isLimitZero: Bool)
  /// A rate limit, server or network trouble: the same call may succeed soon.
  case transient(APIError)
  case configuration(APIError, fix: String)
  case notFound(APIError)
  case rejected(APIError)

  var error: APIError {
    switch self {
    case .dailyQuota(let error, _), .transient(let error), .configuration(let error, _), .notFound(let error), .rejected(let error): error
    }
  }
}
