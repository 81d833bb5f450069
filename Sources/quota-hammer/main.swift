import Glibc

// Many of these at once, with clocks that differ, show that a store never grants more than the limit; one alone measures its speed.

func complain(_ message: String) {
  let line = Array("quota-hammer: \(message)\n".utf8)
  _ = write(2, line, line.count)
}

do {
  var hammer = Hammer(options: try HammerOptions(arguments: Array(CommandLine.arguments.dropFirst())))
  print(try await hammer.run())
} catch let error as HammerOptions.UsageError {
  complain("\(error.message)\n\(HammerOptions.usage)")
  exit(2)
} catch {
  complain("\(error)")
  exit(1)
}
