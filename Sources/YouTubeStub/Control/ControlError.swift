/// A request to /stub/ that cannot be understood: answered 400, or another status, with the sentence.
struct ControlError: Error, Equatable {
  let sentence: String
  let status: Int

  init(_ sentence: String, status: Int = 400) {
    self.sentence = sentence
    self.status = status
  }
}
