#pragma once

#include <sys/types.h>

// Starts a program whose standard output (none if negative) and standard error are the given descriptors. It receives SIGTERM when the
// calling thread ends. Returns its process id, or -1; `failure` is 0 or the errno that kept the program from running.
pid_t process_start(
    const char *path, char *const arguments[], char *const environment[], int output, int error, int *failure);
