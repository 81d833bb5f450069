import TestSupport
import Testing

@testable import YouTubeAPI

@Suite("Fuzz: references", .timeLimit(.minutes(60)))
struct ReferenceFuzzTests {
  private func text(_ random: inout Mutator) -> String {
    let usual = Sample.reference(&random)
    return random.chance(50) ? usual : String(decoding: random.mutated(Array(usual.utf8)), as: UTF8.self)
  }

  @Test func everyTextIsAReferenceOrRefusedInASentence() {
    Fuzz.run { one in
      let text = one.given(self.text(&one.random))
      for form in ReferenceForm.allCases {
        do {
          let reference = try Reference.parse(text, as: form, allowSearch: one.random.chance(50))
          let key = reference.normalised
          try claim(!key.isEmpty && key.utf8.count <= 1000, "a key of \(key.utf8.count) bytes")
          let control = key.unicodeScalars.first { $0.properties.generalCategory == .control }
          try claim(control == nil, "a control character in the key \(key.debugDescription)")
        } catch let error as ReferenceError {
          try claimSentence(error.message, limit: 1000)
          try claim(harmfulScalar(in: error.message) == nil, error.message)
        }
      }
    }
  }

  @Test func theNormalisedFormMeansTheSameAndStaysAsItIs() {
    Fuzz.run { one in
      let text = one.given(self.text(&one.random))
      let allowSearch = one.random.chance(50)
      guard let reference = try? Reference.parse(text, allowSearch: allowSearch) else { return }
      let key = reference.normalised
      // An id of another length than a channel's has no form of its own, and comes from nothing but an address.
      if case .id(let id) = reference, id.utf8.count != 24 || !id.hasPrefix("UC") { return }
      guard let again = try? Reference.parse(key, allowSearch: allowSearch) else { throw Broken(description: "the key \(key) is refused") }
      try claim(again.normalised.utf8.elementsEqual(key.utf8), "\(key) became \(again.normalised)")
      try claim("\(again)".prefix { $0 != "(" } == "\(reference)".prefix { $0 != "(" } || key == reference.normalised, "\(again)")
    }
  }
}
