import FoundationEssentials
import Glibc
import TubelineCLI

TubelineCLI.prepare()
exit(
  await TubelineCLI.run(
    arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
