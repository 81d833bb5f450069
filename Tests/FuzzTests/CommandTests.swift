import Foundation
import JSON
import Messages
import Telemetry
import TestSupport
import Testing

@testable import Kafka
@testable import TubelineCLI
@testable import WorkerApp

@Suite("Fuzz: the command line", .timeLimit(.minutes(60)))
struct CommandFuzzTests {
  private func arguments(_ random: inout Mutator) -> [String] {
    let commands = TubelineCLI.commands.map { $0.specification }
    let specification = random.pick(commands)
    let words = specification.name.split(separator: " ").map(String.init)
    let flags = specification.options.map(\.name) + specification.settings.map(\.flag) + ["--help", "-h", "--", "-", "--kafka-acks", "--x"]
    return words
      + (0..<random.below(6)).map { _ in
        let flag = random.pick(flags)
        let value = random.pick([random.text(), "\(random.number())", Sample.time(&random), "videos-0-1", "2h", "@Google"])
        return random.pick([flag, flag, "\(flag)=\(value)", value, String(decoding: random.mutated(Array(flag.utf8)), as: UTF8.self)])
      }
  }

  @Test func everyCommandLineIsUnderstoodOrRefusedInASentence() {
    Fuzz.run { one in
      var words = self.arguments(&one.random)
      if one.random.chance(20) { words = one.random.chance(50) ? Array(words.dropFirst()) : [one.random.text()] + words }
      _ = one.given("\(words)")
      switch CommandLookup.find(words, among: TubelineCLI.commands) {
      case .help(let text): try claim(harmfulScalar(in: text, except: ["\n"]) == nil, text)
      case .mistake(let text):
        try claimSentence(text, limit: 100_000)
        try claim(harmfulScalar(in: text, except: ["\n"]) == nil, text)
      case .command(let command, let rest):
        do { try Self.values(try command.specification.parser.parse(rest)) } catch let error as UsageError {
          try claimSentence(error.description, limit: 100_000)
        }
      }
    }
  }

  private static func values(_ parsed: ParsedArguments) throws {
    try claim(parsed.settings.keys.allSatisfy { !$0.isEmpty }, "\(parsed)")
    _ = try RequestFlags.options(parsed)
    _ = try SearchOptions(parsed, environment: [:])
    _ = try DeadLetterSelection(parsed, now: Date(timeIntervalSince1970: 1_796_000_000))
    _ = try parsed.number("--limit", in: 0 ... .max)
  }

  @Test func whatIsGivenToTheParserComesOutAgain() {
    Fuzz.run { one in
      let value = one.random.text()
      let parser = HarvestCommand.specification.parser
      let attached = try parser.parse(["--from=" + value, "--", value])
      let apart = try parser.parse(["--from", value])
      _ = one.given(value)
      try claim(attached.values["--from"].map { Array($0.utf8) } == Array(value.utf8), "attached: \(attached.values)")
      try claim(apart.values["--from"].map { Array($0.utf8) } == Array(value.utf8), "apart: \(apart.values)")
      try claim(attached.operands == [value], "\(attached.operands)")
    }
  }

  @Test func listsOfNamesAreReadOrExplained() {
    Fuzz.run { one in
      var lines: [String] = []
      for _ in 0..<one.random.below(6) { lines.append(one.random.chance(50) ? Sample.reference(&one.random) : one.random.text()) }
      let text = one.given(lines.joined(separator: one.random.pick(["\n", "\r\n", "\r", "\u{2028}"])))
      let names = ReferenceList.names(in: text, of: "names.txt")
      let list = ReferenceList(names, allowSearch: one.random.chance(50))
      try claim(list.entries.count + list.problems.count + list.repetitions == names.count, "a name is lost")
      for problem in list.problems {
        try claimSentence(problem, limit: 100_000)
        try claim(harmfulScalar(in: problem) == nil, problem.debugDescription)
      }
      // What was accepted is accepted by the stage too.
      for entry in list.entries {
        let bytes = RequestMessage.record(entry, requestID: "r-1", options: RequestOptions(), prefix: "").value ?? []
        let request = try ChannelRequest(value: bytes)
        try claim(request.target == .channel(entry.name.text), "\(request)")
      }
    }
  }

  @Test func linesOfWorkersAreReadWhateverTheyAre() {
    Fuzz.run { one in
      let tree: JSONTree = [
        "time": "2026-01-01T00:00:00.000Z", "level": .string(one.random.pick(["info", "warning", "?"])), "logger": "l",
        "message": .string(one.random.pick(["Waiting for quota", "Quota granted again", "The stage is stopped", one.random.text()])),
        "quota.reason": .string(one.random.text()), "quota.until": .string(Sample.time(&one.random)), "fix": .string(one.random.text()),
        "x": one.random.tree(depth: 2),
      ]
      let bytes = one.given(one.random.chance(20) ? one.random.bytes() : one.random.mutated(tree))
      let line = WorkerLogLine(String(decoding: bytes, as: UTF8.self))
      try claim(harmfulScalar(in: VisibleText.of(line.text)) == nil, line.text.debugDescription)
      _ = (line.beginsQuotaWait?.text, line.endsQuotaWait, line.stopReason)
    }
  }

  @Test func namesOfLettersReadBackEqualOrAreRefused() {
    Fuzz.run { one in
      let id = DeadLetterID(
        stage: one.random.pick(StageName.allCases), partition: Int32(one.random.below(1 << 31)), offset: Int64(one.random.below(1 << 60)))
      try claim(try DeadLetterID(parsing: one.given(id.description)) == id, "\(id)")
      let text = one.given(String(decoding: one.random.mutated(Array(id.description.utf8)), as: UTF8.self))
      do {
        let other = try DeadLetterID(parsing: text)
        try claim(other.partition >= 0 && other.offset >= 0, "\(other)")
        try claim(try DeadLetterID(parsing: other.description) == other, "\(other)")
      } catch let error as UsageError { try claimSentence(error.description, limit: 100_000) }
    }
  }
}
