public import Messages

/// The flow as one table: what each stage consumes and what it may publish beside its retry and dead-letter topics.
public enum StageOrder {
  public struct Row: Sendable {
    public let stage: StageName
    public let inputs: [Topic]
    public let outputs: [Topic]
    /// A page that fails is handled again in its place, so that `completed` cannot overtake its records.
    public let retriesInPlace: Bool
  }

  public static let rows: [Row] = [
    Row(
      stage: .search, inputs: [.searchRequests, .searchContinuations],
      outputs: [.channelRequests, .playlistPages, .searchContinuations, .requestEvents], retriesInPlace: false),
    Row(
      stage: .channels, inputs: [.channelRequests], outputs: [.channelDetails, .playlistRequests, .playlistPages, .requestEvents],
      retriesInPlace: false),
    Row(
      stage: .playlists, inputs: [.channelDetails, .playlistRequests], outputs: [.playlistPages, .playlistRequests, .requestEvents],
      retriesInPlace: false),
    Row(stage: .videos, inputs: [.playlistPages], outputs: [.videoRecords, .requestEvents], retriesInPlace: true),
  ]

  public static func row(_ stage: StageName) -> Row? { rows.first { $0.stage == stage } }

  static func inputs(_ stage: StageName) -> [Topic] { row(stage)?.inputs ?? [] }
}
