import Testing

@testable import YouTubeAPI

@Suite("Percent encoding", .timeLimit(.minutes(1)))
struct PercentEncodingTests {
  @Test(arguments: [
    ("UCx,UC-y_z.~", "UCx,UC-y_z.~"), ("a+b&c=d e#f?/%", "a%2Bb%26c%3Dd%20e%23f%3F%2F%25"), ("@日", "%40%E6%97%A5"), ("a|b", "a%7Cb"),
    ("", ""),
  ])
  func whatMeansSomethingInAQueryIsEncoded(text: String, expected: String) {
    var encoded = ""
    PercentEncoding.append(text, to: &encoded)
    #expect(encoded == expected)
    #expect(PercentEncoding.decoded(encoded) == text)
  }

  @Test(arguments: [
    ("a+b", false, "a+b"), ("a+b", true, "a b"), ("%2B", true, "+"), ("%", false, "%"), ("%4", false, "%4"), ("%zz%41", false, "%zzA"),
    ("%ff", false, nil), ("%C3%A9", false, "é"),
  ])
  func decodingLeavesWhatIsNoCode(text: String, plusIsBlank: Bool, expected: String?) {
    #expect(PercentEncoding.decoded(text, plusIsBlank: plusIsBlank) == expected)
  }
}
