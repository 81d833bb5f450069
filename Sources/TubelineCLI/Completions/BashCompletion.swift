/// The completion script for bash, version 4 or later. It needs no other package.
enum BashCompletion {
  static func script(_ model: CompletionModel) -> String {
    let groups = model.groups.joined(separator: "|")
    var text = """
      # bash completion for tubeline and its workers. Made by: tubeline completions bash

      # Proposes words, files or folders for the current word.
      _tubeline_propose() {
        local current=${COMP_WORDS[COMP_CWORD]}
        case $1 in
          words) mapfile -t COMPREPLY < <(compgen -W "$2" -- "$current") ;;
          file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
          folder) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        esac
      }

      _tubeline() {
        local previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
        COMPREPLY=()
        if ((COMP_CWORD == 1)) || [[ $command == help && $COMP_CWORD -eq 2 ]]; then
          _tubeline_propose words '\(model.firstWords.map(\.word).joined(separator: " ")) --help --version'
          return
        fi
        case $command in
          \(groups)) command+=" ${COMP_WORDS[2]}" ;;
        esac
        case ${COMP_WORDS[1]} in

      """
    for group in model.groups {
      let members = model.commands.filter { $0.words[0] == group }.compactMap { $0.words.dropFirst().first }.joined(separator: " ")
      text += "    \(group)) if ((COMP_CWORD == 2)); then _tubeline_propose words '\(members)'; return; fi ;;\n"
    }
    text += "  esac\n  case $command in\n"
    for command in model.commands {
      text += "    '\(command.name)')\n" + choices(command.flags, operands: command.operands, indent: 6) + "      ;;\n"
    }
    text += "  esac\n}\ncomplete -F _tubeline tubeline\n"
    for worker in model.workers { text += script(worker) }
    return text
  }

  private static func script(_ worker: CompletionModel.Worker) -> String {
    let function = "_" + worker.name.replacing("-", with: "_")
    return "\n\(function)() {\n  local previous=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n"
      + choices(worker.flags, operands: .text, indent: 2) + "}\ncomplete -F \(function) \(worker.name)\n"
  }

  private static func choices(_ flags: [CompletionModel.Flag], operands: CompletionModel.Value, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var text = "\(margin)case $previous in\n"
    for flag in flags {
      switch flag.value {
      case .none: continue
      case .words(let words): text += "\(margin)  \(flag.name)) _tubeline_propose words '\(words.joined(separator: " "))' ;;\n"
      case .file: text += "\(margin)  \(flag.name)) _tubeline_propose file ;;\n"
      case .folder: text += "\(margin)  \(flag.name)) _tubeline_propose folder ;;\n"
      case .text: text += "\(margin)  \(flag.name)) ;;\n"
      }
    }
    var proposals = flags.map(\.name)
    if case .words(let words) = operands { proposals = words + proposals }
    return text + "\(margin)  *) _tubeline_propose words '\(proposals.joined(separator: " "))' ;;\n\(margin)esac\n"
  }
}
