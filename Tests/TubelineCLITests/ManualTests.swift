import Testing
import WorkerApp
import YouTubeStub

@testable import TubelineCLI

@Suite("Manual pages and completions", .timeLimit(.minutes(1)))
struct ManualTests {
  @Test func everyCommandWithItsFlagsIsInThePage() throws {
    let page = try #require(Manual.pages.first { $0.name == "tubeline" }).text
    for command in TubelineCLI.commands {
      let specification = command.specification
      #expect(page.contains(".SS \"tubeline \(specification.name.replacing("-", with: "\\-"))"), "\(specification.name)")
      for option in specification.options { #expect(page.contains(option.name.replacing("-", with: "\\-")), "\(option.name)") }
    }
  }

  @Test(arguments: [
    ("tubeline-search", Setting.worker), ("tubeline-channels", Setting.worker), ("tubeline-playlists", Setting.worker),
    ("tubeline-videos", Setting.worker), ("tubeline-catalog", Setting.catalog),
  ])
  func everyWorkerHasAPageWithItsSettings(name: String, settings: [Setting]) throws {
    let page = try #require(Manual.pages.first { $0.name == name }).text
    for setting in settings { #expect(page.contains("\\fB\(setting.variable)\\fR"), "\(setting.variable)") }
    for shell in CompletionsCommand.Shell.allCases { #expect(CompletionsCommand.script(shell).contains(name), "\(shell)") }
  }

  @Test func theStubHasAPageAndCompletionsWithItsOptions() throws {
    let page = try #require(Manual.pages.first { $0.name == "youtube-stub" }).text
    let worker = try #require(CompletionModel.current.workers.first { $0.name == "youtube-stub" })
    for option in StubOption.all {
      #expect(page.contains("\\fB\(option.flag.replacing("-", with: "\\-"))\\fR"), "\(option.flag)")
      #expect(worker.flags.contains { $0.name == option.flag }, "\(option.flag)")
      #expect(StubConfiguration.help().contains("  \(option.flag) \(option.placeholder) "), "\(option.flag)")
    }
  }

  @Test(arguments: ["harvest", "quota"]) func theNameOfACommandLeadsToItsHelp(name: String) async throws {
    let invocation = Invocation(arguments: try ManualCommand.specification.parser.parse([name]), environment: [:])
    await #expect {
      _ = try await ManualCommand.run(invocation)
    } throws: {
      "\($0)".contains("tubeline help \(name)")
    }
  }

  @Test func wordsAreNotHyphenated() {
    for page in Manual.pages { #expect(page.text.split(separator: "\n").dropFirst().first == ".nh", "\(page.name)") }
  }

  @Test func whatRoffWouldReadOtherwiseIsEscaped() {
    var page = ManualPage("x", summary: "does \\ things")
    page.paragraph(".begins like a request, 'or' \\like one\nwith `signs` ^ ~ --flag")
    #expect(page.text.contains("\\&.begins like a request, \\(aqor\\(aq \\elike one with \\(gasigns\\(ga \\(ha \\(ti \\-\\-flag\n"))
  }

  @Test(arguments: CompletionsCommand.Shell.allCases)
  func everyFlagIsProposedAndNoSecretIs(shell: CompletionsCommand.Shell) {
    let script = CompletionsCommand.script(shell)
    for command in TubelineCLI.commands {
      for option in command.specification.options {
        #expect(script.contains(shell == .fish ? "-l \(option.name.dropFirst(2))" : option.name), "\(option.name)")
      }
    }
    for setting in Setting.worker where setting.isSecret && setting != .quotaStore {
      for end in [" ", "'", "=", "\n", ")"] { #expect(!script.contains(String(setting.flag.dropFirst(2)) + end), "\(setting.flag)") }
    }
  }

  @Test func valuesAreProposedByWhatTheHelpSays() {
    #expect(CompletionModel.Flag(OptionSpecification("--a", "jsonl|csv", "")).value == .words(["jsonl", "csv"]))
    #expect(CompletionModel.Flag(OptionSpecification("--a", "last", "")).value == .words(["last"]))
    #expect(CompletionModel.Flag(OptionSpecification("--a", "FILE", "")).value == .file)
    #expect(CompletionModel.Flag(OptionSpecification("--a", "N", "")).value == .text)
    #expect(CompletionModel.Flag(OptionSpecification("--a", "")).value == .none)
    #expect(CompletionModel.Flag(.pacing).value == .words(["burst", "even"]))
    #expect(CompletionModel.Flag(.fullPassAfter).value == .words(["off"]))
    #expect(CompletionModel.Flag(.apiKeyFile).value == .file)
    #expect(CompletionModel.Flag(.concurrency).value == .text)
  }
}
