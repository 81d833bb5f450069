import FoundationEssentials
import Glibc
import WorkerApp

WorkerMain.prepare()
exit(
  await WorkerMain.run(
    .search, arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
