import Testing
import YouTubeAPI

@Suite("Durations", .timeLimit(.minutes(1)))
struct VideoDurationTests {
  @Test(arguments: [
    ("PT1M3S", 63), ("PT4M", 240), ("PT0S", 0), ("P0D", 0), ("PT15S", 15), ("PT1H", 3600), ("PT1H2M3S", 3723), ("P1DT2H", 93_600),
    ("P3W3DT20H31M21S", 2_147_481), ("P1W", 604_800), ("P2D", 172_800), ("PT100M", 6000), ("PT1.9S", 1), ("P1DT1S", 86_401),
  ])
  func everyFormOfTheAPIIsRead(text: String, seconds: Int) {
    #expect(VideoDuration.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "P", "PT", "P1DT", "T1S", "1S", "63s", "PT1", "PTS", "P1S", "PT1D", "PT1S1M", "PT1M1M", "P1Y", "P1M", "-PT1S", "PT-1S", "PT1.5M",
    "PT1.S", "pt1s", "PT1S ", "PT1SX", "PTT1S", "PT99999999999999999999S", "P9223372036854775807W", "PT٣S",
    "PT" + String(repeating: "0", count: 100) + "1S",
  ])
  func nonsenseIsNoDuration(text: String) {
    #expect(VideoDuration.seconds(text) == nil)
  }
}
