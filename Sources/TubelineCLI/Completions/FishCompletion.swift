/// The completion script for fish.
enum FishCompletion {
  static func script(_ model: CompletionModel) -> String {
    var text = """
      # fish completion for tubeline and its workers. Made by: tubeline completions fish

      # Whether the command line so far, behind the program's name, begins with these words, or holds these and no more.
      function __tubeline_is
        set -l words (commandline -opc)[2..]
        set -l length (count $argv)
        test (count $words) -ge $length; or return 1
        test "$words[1..$length]" = "$argv"
      end
      function __tubeline_holds
        set -l words (commandline -opc)[2..]
        test "$words" = "$argv"
      end

      complete -c tubeline -f
      complete -c tubeline -n '__tubeline_holds' -l help -d 'Tells about the commands'
      complete -c tubeline -n '__tubeline_holds' -l version

      """
    for (word, summary) in model.firstWords {
      text += "complete -c tubeline -n '__tubeline_holds' -a \(word) -d '\(quoted(summary))'\n"
    }
    for command in model.commands {
      if command.words.count > 1 {
        text +=
          "complete -c tubeline -n '__tubeline_holds \(command.words[0])' -a \(command.words[1]) -d '\(quoted(command.summary))'\n"
      }
      let condition = "-n '__tubeline_is \(command.name)' "
      for flag in command.flags { text += line("tubeline", condition, flag) }
      if case .words(let words) = command.operands { text += "complete -c tubeline \(condition)-a '\(words.joined(separator: " "))'\n" }
    }
    for worker in model.workers {
      text += "\ncomplete -c \(worker.name) -f\n"
      for flag in worker.flags { text += line(worker.name, "", flag) }
    }
    return text
  }

  private static func line(_ program: String, _ condition: String, _ flag: CompletionModel.Flag) -> String {
    let value =
      switch flag.value {
      case .none: ""
      case .words(let words): " -x -a '\(words.joined(separator: " "))'"
      case .file: " -r -F"
      case .folder: " -x -a '(__fish_complete_directories)'"
      case .text: " -x"
      }
    let meaning = flag.meaning.isEmpty ? "" : " -d '\(quoted(flag.meaning))'"
    return "complete -c \(program) \(condition)-l \(flag.name.dropFirst(2))\(value)\(meaning)\n"
  }

  private static func quoted(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
