/// `tubeline completions`: what a shell needs to complete command lines.
enum CompletionsCommand: Command {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  static let specification = CommandSpecification(
    name: "completions", summary: "prints the completion script of a shell, for tubeline and its workers", operands: "bash|zsh|fish",
    examples: [
      .init("tubeline completions bash >/etc/bash_completion.d/tubeline", "For everybody, in bash."),
      .init("tubeline completions zsh >\"${fpath[1]}/_tubeline\"", "In zsh."),
      .init("tubeline completions fish >~/.config/fish/completions/tubeline.fish", "In fish."),
      .init("source <(tubeline completions bash)", "For this terminal only."),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard invocation.arguments.operands.count == 1, let shell = Shell(rawValue: invocation.arguments.operands[0]) else {
      throw UsageError("Name one shell: \(names).")
    }
    try invocation.output.write(script(shell))
    return .done
  }

  static func script(_ shell: Shell) -> String {
    let model = CompletionModel.current
    return switch shell {
    case .bash: BashCompletion.script(model)
    case .zsh: ZshCompletion.script(model)
    case .fish: FishCompletion.script(model)
    }
  }
}
