#define _GNU_SOURCE

#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

// posix_spawn knows no "end with the parent", hence fork. Between fork and exec only async-signal-safe functions are called.
static void process_become(
    const char *path, char *const arguments[], char *const environment[], struct process_streams streams, pid_t group, int signal_at_end,
    int report, pid_t parent) {
  struct sigaction usual = {0};
  usual.sa_handler = SIG_DFL;
  const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGUSR1, SIGUSR2};
  for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, group);
  if (signal_at_end != 0) {
    prctl(PR_SET_PDEATHSIG, signal_at_end);
    if (getppid() != parent) _exit(0);
  }
  int null = open("/dev/null", O_RDWR);
  dup2(streams.input >= 0 ? streams.input : null, 0);
  dup2(streams.output >= 0 ? streams.output : null, 1);
  dup2(streams.error >= 0 ? streams.error : null, 2);
  dup3(report, 3, O_CLOEXEC);
  // Sockets and pipes of the parent must not live on in its children.
  close_range(4, ~0U, 0);
  execve(path, arguments, environment);
  int code = errno;
  ssize_t written = write(3, &code, sizeof code);
  _exit(written == sizeof code ? 127 : 126);
}

// Out of the way of 0 to 3, which are given new meanings.
static int process_high(int descriptor) {
  return descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 10) : -1;
}

static void process_close(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

pid_t process_start(
    const char *path, char *const arguments[], char *const environment[], struct process_streams streams, pid_t group, int signal_at_end,
    int *failure) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    *failure = errno;
    return -1;
  }
  struct process_streams high = {process_high(streams.input), process_high(streams.output), process_high(streams.error)};
  int high_report = process_high(report[1]);
  close(report[1]);
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) process_become(path, arguments, environment, high, group, signal_at_end, high_report, parent);
  *failure = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  process_close(high.input);
  process_close(high.output);
  process_close(high.error);
  process_close(high_report);
  int code = 0;
  ssize_t count;
  do count = read(report[0], &code, sizeof code);
  while (count < 0 && errno == EINTR);
  close(report[0]);
  if (count == sizeof code) *failure = code;
  return child;
}
