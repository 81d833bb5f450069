import FoundationEssentials
import Glibc
import TubelineCLI

exit(
  await TubelineCLI.run(
    arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
