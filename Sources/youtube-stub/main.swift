import Dispatch
import Glibc
import Telemetry
import YouTubeStub

func complain(_ sentence: String) {
  // C's stderr is a shared variable, which Swift 6 refuses; the descriptor is not.
  let line = Array("youtube-stub: \(sentence)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

/// The first of the signals, which then no longer end the process by themselves.
func terminationSignal() async {
  let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
  let sources = [SIGTERM, SIGINT, SIGHUP].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { continuation.yield() }
    source.resume()
    return source
  }
  for await _ in signals { break }
  for source in sources { source.cancel() }
}

func serve(_ configuration: StubConfiguration) async -> Int32 {
  let stub: YouTubeStub
  do { stub = try YouTubeStub(configuration) } catch {
    complain("\(error)")
    return error is RecordingsError ? 2 : 1
  }
  print(stub.address)
  fflush(nil)
  await terminationSignal()
  await stub.stop()
  return 0
}

// Who reads the output may leave.
signal(SIGPIPE, SIG_IGN)
do throws(UsageError) {
  switch try StubConfiguration.parse(Array(CommandLine.arguments.dropFirst())) {
  case .help: print(StubConfiguration.help(width: HelpText.width(of: .output)), terminator: "")
  case .version: print("youtube-stub \(BuildInformation.version)")
  case .serve(let configuration): exit(await serve(configuration))
  }
} catch {
  complain("\(error.sentence); see youtube-stub --help")
  exit(2)
}
