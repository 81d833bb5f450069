/// The completion script for zsh: a file `_tubeline` in a folder of `fpath`.
enum ZshCompletion {
  static func script(_ model: CompletionModel) -> String {
    var text = """
      #compdef tubeline \(model.workers.map(\.name).joined(separator: " "))
      # zsh completion for tubeline and its workers. Made by: tubeline completions zsh

      _tubeline_commands() {
        local -a commands
        commands=(
      \(model.firstWords.map { "    \(described($0.word, $0.summary))" }.joined(separator: "\n"))
        )
        _describe -t commands 'command' commands
      }

      _tubeline_tool() {
        if (( CURRENT == 2 )); then
          _tubeline_commands
          return
        fi
        local command=$words[2]
        case $command in
          help) _tubeline_commands; return ;;

      """
    for group in model.groups { text += groupCase(group, model) }
    text += "  esac\n  shift words\n  (( CURRENT-- ))\n  case $command in\n"
    for command in model.commands {
      text += "    '\(command.name)')\n" + arguments(command.flags, operands: command.operands, indent: 6) + "      ;;\n"
    }
    text += "  esac\n}\n\n_tubeline() {\n  case $service in\n    tubeline) _tubeline_tool ;;\n"
    for worker in model.workers { text += "    \(worker.name))\n" + arguments(worker.flags, operands: nil, indent: 6) + "      ;;\n" }
    return text + "  esac\n}\n\n_tubeline \"$@\"\n"
  }

  private static func groupCase(_ group: String, _ model: CompletionModel) -> String {
    let members = model.commands.filter { $0.words[0] == group && $0.words.count > 1 }
    var text = "    \(group))\n      if (( CURRENT == 3 )); then\n        local -a members\n        members=(\n"
    for member in members { text += "          \(described(member.words[1], member.summary))\n" }
    text += "        )\n        _describe -t commands 'command' members\n        return\n      fi\n"
    return text + "      command=\"$words[2] $words[3]\"\n      shift words\n      (( CURRENT-- ))\n      ;;\n"
  }

  private static func arguments(_ flags: [CompletionModel.Flag], operands: CompletionModel.Value?, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = flags.map { flag in
      let meaning = "[\(quoted(flag.meaning, also: ["[", "]"]))]"
      switch flag.value {
      case .none: return "'\(flag.name)\(meaning)'"
      case .words(let words): return "'\(flag.name)=\(meaning):value:(\(words.joined(separator: " ")))'"
      case .file: return "'\(flag.name)=\(meaning):file:_files'"
      case .folder: return "'\(flag.name)=\(meaning):folder:_files -/'"
      case .text: return "'\(flag.name)=\(meaning):value:'"
      }
    }
    switch operands {
    case .words(let words): lines.append("'*:operand:(\(words.joined(separator: " ")))'")
    case nil: break
    default: lines.append("'*:operand:'")
    }
    return "\(margin)_arguments \\\n" + lines.map { "\(margin)  \($0)" }.joined(separator: " \\\n") + "\n"
  }

  private static func described(_ word: String, _ summary: String) -> String { "'\(word):\(quoted(summary, also: []))'" }

  /// Within single quotes, and with colons, which part what zsh reads.
  private static func quoted(_ text: String, also signs: Set<Character>) -> String {
    text.reduce(into: "") { result, sign in
      switch sign {
      case "'": result += "'\\''"
      case "\\": result += "\\\\"
      case ":": result += "\\:"
      case "\n", "\r\n": result += " "
      default: result += signs.contains(sign) ? "\\\(sign)" : String(sign)
      }
    }
  }
}
