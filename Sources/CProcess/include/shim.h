#pragma once

#include <sys/types.h>

// Descriptors of the parent that become 0, 1 and 2 of the child; a negative one is /dev/null.
struct process_streams {
  int input;
  int output;
  int error;
};

// Starts a program with these descriptors and no others, in the process group `group` (0: a new one). It receives `signal_at_end`, unless
// that is 0, when the calling thread ends. Returns its process id, or -1; `failure` is 0 or the errno that kept the program from running.
pid_t process_start(
    const char *path, char *const arguments[], char *const environment[], struct process_streams streams, pid_t group, int signal_at_end,
    int *failure);
