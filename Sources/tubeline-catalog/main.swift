import Catalog
import FoundationEssentials
import Glibc
import WorkerApp

WorkerMain.prepare()
exit(
  await CatalogMain.run(arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
