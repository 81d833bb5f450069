import FoundationEssentials
import Glibc
import WorkerApp

WorkerMain.prepare()
exit(
  await WorkerMain.run(
    .videos, arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
