struct Recordings {
  static func archive(_ folder: String) throws -> any Archive { throw UsageError(sentence: "not yet") }
}
