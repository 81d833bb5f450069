// Tells the thread sanitizer about Swift's Mutex, where that has to wait.
//
// On Linux a Mutex that is free is taken by an atomic instruction in our own code, which the sanitizer sees. One that is taken is waited for
// in libswiftSynchronization, which is not instrumented, so the sanitizer misses that one thread went after the other, and reports races
// on whatever the Mutex protects. Preloaded, these two functions stand before the library's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Weak, because they exist only in programs that are built for the sanitizer, and `swift test` itself is not.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

typedef SWIFT void (*lock_function)(uint32_t, SELF void *);
typedef SWIFT void (*unlock_function)(SELF void *);

SWIFT void lock_slow(uint32_t thread, SELF void *self) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *self) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF void *self) {
  ((lock_function)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF void *self) {
  if (__tsan_release) __tsan_release(self);
  ((unlock_function)dlsym(RTLD_NEXT, UNLOCK_SLOW))(self);
}
