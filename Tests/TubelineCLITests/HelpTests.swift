import Testing
import YouTubeStub

@testable import TubelineCLI

@Suite("Help of commands", .timeLimit(.minutes(1)))
struct HelpTests {
  @Test(arguments: [60, 80, 100]) func itFitsTheWidthButForCommandLines(width: Int) {
    for command in TubelineCLI.commands {
      let specification = command.specification
      let copied = Set(specification.examples.map { "  \($0.line)" })
      for line in specification.help(width: width).split(separator: "\n") where !copied.contains(String(line)) {
        #expect(line.count <= width || line.hasPrefix("Usage:"), "\(line)")
      }
    }
  }

  @Test(arguments: [60, 80, 100]) func theStubsHelpFitsAndTellsExitCodes(width: Int) {
    let text = StubConfiguration.help(width: width)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
    #expect(text.contains("Exit codes: 0 "))
  }

  @Test(arguments: [60, 80, 100]) func theOverviewFits(width: Int) throws {
    for words in [["--help"], ["topics", "--help"], ["help"]] {
      guard case .help(let text) = CommandLookup.find(words, among: TubelineCLI.commands, width: width) else {
        Issue.record("no help")
        continue
      }
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
    }
  }

  @Test func commandsOfTheLedgerNameItsBuckets() {
    for command in [QuotaSetCommand.specification, QuotaClearCommand.specification] {
      #expect(command.help(width: 100).contains("default, search, batchGetStats"), "\(command.name)")
    }
  }

  @Test func settingsTellWhatTheyAllowAndTheirTrueDefault() {
    func words(_ specification: CommandSpecification) -> String {
      specification.help(width: 100).split { $0 == " " || $0.isNewline }.joined(separator: " ")
    }
    #expect(words(HarvestCommand.specification).contains("over the day. [burst, even] Default: burst."))
    #expect(words(DoctorCommand.specification).contains("[exactly-once, at-least-once] Default: exactly-once."))
    #expect(words(SearchCommand.specification).contains("localhost:9092, and with --wait or --first-video an embedded broker."))
    #expect(TubelineCLI.commands.allSatisfy { !words($0.specification).contains("this stage") })
  }

  @Test func exitCodesAreThoseThatTheCommandHas() {
    for command in TubelineCLI.commands {
      let specification = command.specification
      #expect(specification.help(width: 100).contains("75 quota used up and --no-wait given") == (specification.name == "harvest"))
      #expect(specification.help().contains("Exit codes: 0 done; 1 incomplete or failed; 2 usage"))
    }
    guard case .help(let all) = CommandLookup.find(["--help"], among: TubelineCLI.commands),
      case .help(let group) = CommandLookup.find(["topics", "--help"], among: TubelineCLI.commands)
    else {
      Issue.record("no help")
      return
    }
    #expect(all.split { $0 == " " || $0.isNewline }.joined(separator: " ").contains("75 quota used up and harvest --no-wait given."))
    #expect(!group.contains("75"))
  }
}
