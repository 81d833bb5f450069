/// Lets work go on for a while after its task was cancelled, as a broker that answers needs no longer; then cancels it.
func withCancellationGrace<R: Sendable>(_ grace: Duration, _ body: @escaping @Sendable () async -> R) async -> R {
  let work = Task { await body() }
  return await withTaskCancellationHandler {
    await work.value
  } onCancel: {
    Task {
      try? await Task.sleep(for: grace)
      work.cancel()
    }
  }
}
