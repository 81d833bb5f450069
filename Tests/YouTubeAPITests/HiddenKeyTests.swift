import Testing

@testable import YouTubeAPI

@Suite(.timeLimit(.minutes(1)))
struct HiddenKeyTests {
  private static let key = "AIzaSECRETKEY"

  @Test(arguments: [
    "the key \(key) is wrong", "the key AIza<b>SECRET</b>KEY is wrong", "the key AIza&#83;ECRETKEY is wrong",
    String(repeating: "<b>", count: 1331) + "12AIzaSECRETKEY", String(repeating: " ", count: 3990) + key,
  ])
  func aKeyInAnAnswerIsHiddenHoweverItIsWritten(text: String) {
    let shown = PlainText.sanitised(text, hiding: Secret(Self.key))
    #expect(!shown.contains("SECRET") && !shown.contains("AIza"), "\(shown)")
  }
}
