import Synchronization

/// Channels and videos computed from a seed: nothing is stored but what the control endpoints changed.
final class Generator: Archive {
  let identifiers: Identifiers
  let seed: UInt64
  private let generatedChannels: Int
  private let videosPerChannel: Int
  private let fixed: [ChannelProfile]
  private let fixedByID: [String: Int]
  private let fixedByHandle: [String: Int]
  private let fixedByUsername: [String: Int]
  private let changes = Mutex<[Int: UploadChanges]>([:])

  /// Ordinals below this belong to the fixed channels.
  static let firstGeneratedOrdinal = 64

  init(seed: UInt64 = 1, channels: Int = 0, videosPerChannel: Int = 100) {
    self.seed = seed
    identifiers = Identifiers(seed: seed)
    generatedChannels = min(max(0, channels), 1 << 19)
    self.videosPerChannel = min(max(0, videosPerChannel), 1 << 22)
    let identifiers = identifiers
    fixed = ChannelProfile.fixed(identifiers)
    fixedByID = Dictionary(uniqueKeysWithValues: fixed.map { ($0.id, $0.ordinal) })
    fixedByHandle = Self.index(fixed) { $0.handle.map { String($0.dropFirst()) } }
    fixedByUsername = Self.index(fixed) { $0.username }
  }

  private static func index(_ profiles: [ChannelProfile], by key: (ChannelProfile) -> String?) -> [String: Int] {
    let pairs = profiles.compactMap { profile in key(profile).map { ($0.lowercased(), profile.ordinal) } }
    return Dictionary(pairs) { first, _ in first }
  }

  // MARK: Channels

  func channel(ordinal: Int) -> GeneratedChannel? {
    let profile: ChannelProfile
    if ordinal < fixed.count {
      profile = fixed[ordinal]
    } else {
      let number = ordinal - Self.firstGeneratedOrdinal
      guard number >= 0, number < generatedChannels else { return nil }
      profile = ChannelProfile.numbered(number, ordinal: ordinal, uploads: videosPerChannel, identifiers: identifiers, seed: seed)
    }
    guard !profile.isTerminated else { return nil }
    return GeneratedChannel(
      profile: profile, changes: changes.withLock { $0[ordinal] ?? UploadChanges() }, identifiers: identifiers, seed: seed)
  }

  func generatedChannel(id: String) -> GeneratedChannel? {
    (fixedByID[id] ?? identifiers.channel(id)).flatMap { channel(ordinal: $0) }
  }

  func channel(_ reference: ChannelReference) -> (any Resource)? { generatedChannel(reference) }

  private func generatedChannel(_ reference: ChannelReference) -> GeneratedChannel? {
    switch reference {
    case .id(let id): generatedChannel(id: id)
    case .handle(let handle):
      ordinal((handle.hasPrefix("@") ? String(handle.dropFirst()) : handle).lowercased(), fixedByHandle, ChannelProfile.handlePrefix)
    case .username(let name): ordinal(name.lowercased(), fixedByUsername, ChannelProfile.usernamePrefix)
    }
  }

  private func ordinal(_ name: String, _ table: [String: Int], _ prefix: String) -> GeneratedChannel? {
    if let ordinal = table[name] { return channel(ordinal: ordinal) }
    guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number >= 0, name == "\(prefix)\(number)" else {
      return nil
    }
    return channel(ordinal: number + Self.firstGeneratedOrdinal)
  }

  /// The channels in a fixed order; `limit` bounds the numbered ones.
  func allChannels(limit: Int = .max) -> [GeneratedChannel] {
    let numbered = (0..<min(limit, generatedChannels)).lazy.map { $0 + Self.firstGeneratedOrdinal }
    return (Array(fixed.indices) + numbered).compactMap { channel(ordinal: $0) }
  }

  func channels() -> [ChannelTruth] { allChannels().map(\.truth) }

  // MARK: Videos

  func video(_ id: String) -> (any Resource)? {
    guard let video = generatedVideo(id), video.isAvailable else { return nil }
    return video
  }

  func generatedVideo(_ id: String) -> GeneratedVideo? {
    guard let (ordinal, serial) = identifiers.video(id), let channel = channel(ordinal: ordinal), channel.uploads.holds(serial) else {
      return nil
    }
    return GeneratedVideo(channel: channel, serial: serial)
  }

  func mostPopular() -> [any Resource] {
    allChannels(limit: 20).flatMap { channel in (0..<min(25, channel.uploads.listed)).map { channel.video(at: $0) } }
      .filter { $0.availability == .public }
      .sorted { ($0.viewCount ?? 0, $0.id) > ($1.viewCount ?? 0, $1.id) }
      .prefix(200).map { $0 }
  }

  func addVideos(_ count: Int, toChannel id: String) -> Bool {
    guard let channel = generatedChannel(id: id) else { return false }
    changes.withLock { $0[channel.profile.ordinal, default: UploadChanges()].added += max(0, count) }
    return true
  }

  func removeVideos(_ ids: [String], fromChannel id: String) -> RemovalFailure? {
    guard let channel = generatedChannel(id: id) else { return .unknownChannel }
    var serials: [Int] = []
    for id in ids {
      guard let (ordinal, serial) = identifiers.video(id), ordinal == channel.profile.ordinal, channel.uploads.holds(serial) else {
        return .unknownVideo(id)
      }
      serials.append(serial)
    }
    changes.withLock { $0[channel.profile.ordinal, default: UploadChanges()].remove(serials) }
    return nil
  }
}
