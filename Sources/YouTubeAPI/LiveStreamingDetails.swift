/// The times of a live broadcast or premiere, RFC 3339 with `Z`.
public struct LiveStreamingDetails: Sendable, Equatable {
  public var actualStartTime: String?
  public var actualEndTime: String?
  public var scheduledStartTime: String?
  public var scheduledEndTime: String?

  public init(
    actualStartTime: String? = nil, actualEndTime: String? = nil, scheduledStartTime: String? = nil, scheduledEndTime: String? = nil
  ) {
    self.actualStartTime = actualStartTime
    self.actualEndTime = actualEndTime
    self.scheduledStartTime = scheduledStartTime
    self.scheduledEndTime = scheduledEndTime
  }
}
