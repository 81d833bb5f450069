/// The facts of one generated channel that do not change.
struct ChannelProfile: Sendable {
  static let handlePrefix = "stub-channel-"
  static let usernamePrefix = "stubchannel"

  var ordinal: Int
  var id: String
  var title: String
  /// With its "@".
  var handle: String?
  var username: String?
  var description: String
  var country: String?
  var publishedAt: String
  var uploads: Int
  /// Seconds between two uploads.
  var interval = 108_000
  var subscribers: Int? = 1_230_000
  var hasThumbnails = true
  var isTerminated = false
  var madeForKids = false
  /// How many entries each ordinary playlist has.
  var playlists: [Int] = [130]

  var uploadsPlaylistID: String { "UU" + id.dropFirst(2) }

  static func numbered(_ number: Int, ordinal: Int, uploads: Int, identifiers: Identifiers, seed: UInt64) -> ChannelProfile {
    let hash = Scramble.mix(UInt64(number), seed)
    return ChannelProfile(
      ordinal: ordinal, id: identifiers.channel(ordinal),
      title: "\(Words.pick(Words.adjectives, hash)) \(Words.pick(Words.nouns, hash >> 16)) \(number)",
      handle: "@\(handlePrefix)\(number)", username: number.isMultiple(of: 2) ? "\(usernamePrefix)\(number)" : nil,
      description: "Channel number \(number) of the generator.", country: hash % 4 == 0 ? nil : Words.pick(Words.countries, hash >> 24),
      publishedAt: CivilTime.text(1_200_000_000 + Int(hash % 300_000_000)), uploads: uploads, interval: 3_600 + Int(hash % 100_000),
      subscribers: hash % 11 == 0 ? nil : Int(hash >> 40), playlists: uploads == 0 ? [] : [min(uploads, 30)])
  }

  static func fixed(_ identifiers: Identifiers) -> [ChannelProfile] {
    let profiles = companies + oddities(identifiers)
    return profiles.enumerated().map { ordinal, profile in
      var profile = profile
      profile.ordinal = ordinal
      if profile.id.isEmpty { profile.id = identifiers.channel(ordinal) }
      return profile
    }
  }

  private static let companies = [
    ChannelProfile(
      ordinal: 0, id: "UCE_M8A5yxnLfW0KghEeajjw", title: "Apple", handle: "@Apple", username: "Apple",
      description: "Welcome to the Apple channel: products, films and how-to's.", country: "US", publishedAt: "2005-06-22T05:12:23Z",
      uploads: 312,
      interval: 691_200, subscribers: 20_500_000),
    ChannelProfile(
      ordinal: 0, id: "UCK8sQmJBp8GCxrOtXWBpyEA", title: "Google", handle: "@Google", username: "Google",
      description: "Experience the world of Google on our official channel.", country: "US", publishedAt: "2005-09-18T22:37:10Z",
      uploads: 1_636,
      interval: 345_600, subscribers: 13_100_000),
    ChannelProfile(
      ordinal: 0, id: "UCFtEEv80fQVKkD4h1PF-Xqw", title: "Microsoft", handle: "@Microsoft", username: "Microsoft",
      description: "Empowering every person & every organization on the planet.", country: "US", publishedAt: "2006-02-16T21:39:50Z",
      uploads: 845,
      interval: 604_800, subscribers: 1_390_000),
  ]

  private static func oddities(_ identifiers: Identifiers) -> [ChannelProfile] {
    [
      ChannelProfile(
        ordinal: 0, id: "", title: "Nothing Yet", handle: "@nothing-yet", username: nil, description: "", country: "CH",
        publishedAt: "2026-09-30T11:22:33Z", uploads: 0, subscribers: 7, playlists: []),
      ChannelProfile(
        ordinal: 0, id: "", title: "Closed", handle: "@terminated-channel", username: "terminatedchannel", description: "", country: nil,
        publishedAt: "2012-03-04T05:06:07Z", uploads: 40, isTerminated: true),
      ChannelProfile(
        ordinal: 0, id: "", title: "Big News", handle: "@BigNews", username: "BigNews", description: "News around the clock.",
        country: "GB",
        publishedAt: "2007-01-02T03:04:05Z", uploads: 20_500, interval: 7_200, subscribers: 9_990_000, playlists: [130, 5_000]),
      ChannelProfile(
        ordinal: 0, id: "", title: "日本語チャンネル 🎌 <b>&amp; \"Freunde\"</b> 'שלום' a\u{200b}b", handle: "@日本語チャンネル", username: nil,
        description: "العربية, עברית, 한국어, emoji 👩‍👩‍👧‍👦 🇨🇭, & < > \" ' \\ / \u{200f}\u{2028}end", country: "JP",
        publishedAt: "2015-12-31T23:59:59Z", uploads: 130, subscribers: 4_321),
      ChannelProfile(
        ordinal: 0, id: "", title: "Hidden Counts", handle: "@hidden-counts", username: nil, description: "", country: nil,
        publishedAt: "2019-02-28T00:00:00Z", uploads: 55, subscribers: nil, hasThumbnails: false, madeForKids: true),
      ChannelProfile(
        ordinal: 0, id: "", title: "The Generators - Topic", handle: nil, username: nil, description: "", country: nil,
        publishedAt: "2017-07-07T07:07:07Z", uploads: 75, subscribers: 812, playlists: [12]),
    ]
  }
}
