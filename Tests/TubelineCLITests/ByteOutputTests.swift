import Foundation
import Testing

@testable import TubelineCLI

@Suite("ByteOutput", .timeLimit(.minutes(1)))
struct ByteOutputTests {
  @Test func onlyAFileThatHoldsSomethingIsReplaced() throws {
    let path = FileManager.default.temporaryDirectory.path() + "/tubeline-cli-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(ByteOutput.existingBytes(path: path) == nil && ByteOutput.existingBytes(path: "/dev/null") == nil)
    let output = try ByteOutput(path: path)
    #expect(ByteOutput.existingBytes(path: path) == nil)
    try output.write("123")
    try output.close()
    #expect(ByteOutput.existingBytes(path: path) == 3)
  }

  @Test func aFileKeepsItsContentUntilItIsEmptied() throws {
    let path = FileManager.default.temporaryDirectory.path() + "/tubeline-cli-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "what was there".write(toFile: path, atomically: false, encoding: .utf8)
    let output = try ByteOutput(path: path, keepsContent: true)
    try output.flush()
    #expect(ByteOutput.existingBytes(path: path) == 14)
    try output.empty()
    try output.write("new")
    try output.close()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    try ByteOutput(path: "/dev/null", keepsContent: true).empty()
  }

  private func withDescriptor<R>(_ path: String, _ mode: Int32, _ body: (ByteOutput) throws -> R) throws -> R {
    let descriptor = open(path, mode | O_CLOEXEC)
    try #require(descriptor > 2)
    defer { close(descriptor) }
    return try body(ByteOutput(descriptor: descriptor))
  }

  @Test func anOutputThatTakesNothingSaysSoInASentence() throws {
    try withDescriptor("/dev/null", O_RDONLY) { output in
      #expect(throws: OutputError.notOpen) { try output.requireOpen() }
      try output.write("x")
      #expect(throws: OutputError.notOpen) { try output.flush() }
    }
    let output = ByteOutput(descriptor: 1 << 20)
    #expect(throws: OutputError.notOpen) { try output.requireOpen() }
    #expect("\(OutputError.notOpen)".hasPrefix("the output cannot be written: standard output is not open for writing"))
  }

  @Test func nothingToWriteNeedsNoOutput() throws {
    try ByteOutput(descriptor: 1 << 20).flush()
  }

  @Test(arguments: [O_WRONLY, O_RDWR]) func anOpenOutputIsTaken(mode: Int32) throws {
    try withDescriptor("/dev/null", mode) { output in
      try output.requireOpen()
      try output.write("x")
      try output.flush()
    }
  }

  @Test func aFullDiskAndAReaderThatLeftAreToldApart() throws {
    try withDescriptor("/dev/full", O_WRONLY) { output in
      try output.write("x")
      #expect(throws: OutputError.failed("No space left on device")) { try output.flush() }
    }
  }
}
