import Messages
import WorkerApp
import YouTubeStub

/// What can be completed, made from the definitions that `--help` shows.
struct CompletionModel: Sendable {
  enum Value: Sendable, Equatable {
    /// A switch.
    case none
    case words([String])
    case file, folder
    /// Anything: nothing can be proposed.
    case text
  }

  struct Flag: Sendable {
    /// With its dashes.
    let name: String
    let meaning: String
    let value: Value
  }

  struct Command: Sendable {
    /// One word, or two.
    let words: [String]
    let summary: String
    let flags: [Flag]
    let operands: Value

    var name: String { words.joined(separator: " ") }
  }

  /// A program without commands: a worker, the catalogue, the API's double.
  struct Worker: Sendable {
    let name: String
    let flags: [Flag]

    init(_ name: String, _ flags: [Flag]) {
      self.name = name
      self.flags =
        flags
        + [Flag(name: "--help", meaning: "Tells every setting.", value: .none), Flag(name: "--version", meaning: "", value: .none)]
    }

    init(_ name: String, _ settings: [Setting]) {
      self.init(name, settings.filter { !$0.isSecret || $0 == .quotaStore }.map(Flag.init))
    }
  }

  let commands: [Command]
  let workers: [Worker]

  static var current: CompletionModel {
    CompletionModel(
      commands: TubelineCLI.commands.map { Command($0.specification) },
      workers: Manual.stages.map { Worker("tubeline-\($0.rawValue)", Setting.worker) } + [
        Worker("tubeline-catalog", Setting.catalog),
        Worker("youtube-stub", StubOption.all.map { Flag(OptionSpecification($0.flag, $0.placeholder, $0.meaning)) }),
      ])
  }

  /// First words that several commands share.
  var groups: [String] {
    commands.filter { $0.words.count > 1 }.map { $0.words[0] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// What can stand first, in the order of the table.
  var firstWords: [(word: String, summary: String)] {
    var found: [(word: String, summary: String)] = []
    for command in commands where !found.contains(where: { $0.word == command.words[0] }) {
      let members = commands.filter { $0.words[0] == command.words[0] && $0.words.count > 1 }.compactMap(\.words.last)
      found.append((command.words[0], members.isEmpty ? command.summary : members.joined(separator: ", ")))
    }
    return found + [("help", "tells about a command")]
  }
}

extension CompletionModel.Command {
  init(_ specification: CommandSpecification) {
    words = specification.name.split(separator: " ").map(String.init)
    summary = specification.summary
    let settings = specification.taken.filter { !$0.isSecret || $0 == .quotaStore }.map(CompletionModel.Flag.init)
    flags =
      specification.options.map(CompletionModel.Flag.init) + settings + [.init(name: "--help", meaning: "Tells about it.", value: .none)]
    // A choice, such as bash|zsh|fish.
    let choice = specification.operands.split(separator: "|").map(String.init)
    operands = choice.count > 1 ? .words(choice) : .text
  }
}

extension CompletionModel.Flag {
  init(_ option: OptionSpecification) {
    name = option.name
    meaning = option.meaning
    guard let placeholder = option.placeholder else {
      value = .none
      return
    }
    switch placeholder {
    case "FILE": value = .file
    case "DIR": value = .folder
    default:
      let words = placeholder.split(separator: "|").map(String.init)
      let isChoice = words.count > 1 || placeholder.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      value = isChoice ? .words(words) : .text
    }
  }

  init(_ setting: Setting) {
    name = setting.flag
    meaning = setting.meaning
    if setting.unit == "path" {
      value = .file
    } else {
      let words = setting.unit.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { $0 != "duration" }
      value = setting.unit.contains(", ") && !words.isEmpty ? .words(words) : .text
    }
  }
}
