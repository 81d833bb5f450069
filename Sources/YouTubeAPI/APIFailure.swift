public import FoundationEssentials
import Telemetry

/// Why a call gave no result. A used-up daily quota is none: the client waits for the reset.
public enum APIFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The channel, playlist or video is not there, or is not public: a business result.
  case notFound(APIError)
  /// Short rate limit, server or network trouble; the attempts within the process are used up.
  case transient(APIError)
  /// Every call will fail until an operator does what `fix` says.
  case configuration(APIError, fix: String)
  /// The API refuses this request for good.
  case rejected(APIError)
  case cancelled
  /// The quota for this call comes back only at this time, and the gate does not wait so long for it.
  case quota(until: Date)

  public var error: APIError? {
    switch self {
    case .notFound(let error), .transient(let error), .configuration(let error, _), .rejected(let error): error
    case .cancelled, .quota: nil
    }
  }

  public var description: String {
    switch self {
    case .notFound(let error): "not found (\(error))"
    case .transient(let error): "transient (\(error))"
    case .configuration(let error, let fix): "configuration (\(error)): \(fix)"
    case .rejected(let error): "rejected (\(error))"
    case .cancelled: "cancelled"
    case .quota(let time): "no quota before \(Timestamp.rfc3339(time))"
    }
  }
}
