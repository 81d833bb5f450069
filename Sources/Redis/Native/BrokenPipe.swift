import Glibc

/// Runs `body` so that writing to a connection the peer has closed is an error and not the end of the process.
///
/// hiredis 0.14 writes with `write`, which raises SIGPIPE; a library must not change the process's handler for it.
func withoutBrokenPipeSignal<Result>(_ body: () -> Result) -> Result {
  var pipe = sigset_t()
  var before = sigset_t()
  var pending = sigset_t()
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  sigpending(&pending)
  guard sigismember(&pending, SIGPIPE) == 0 else { return body() }
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  let result = body()
  let systemError = errno
  var none = timespec()
  while sigtimedwait(&pipe, nil, &none) == -1 && errno == EINTR {}
  errno = systemError
  return result
}
