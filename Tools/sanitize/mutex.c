// Tells the thread sanitizer of Swift's Mutex where threads wait for it.
//
// The part of a Mutex that waits stands in a library of the toolchain that was not built for the
// sanitizer: whoever had to wait looks as if it held no lock. Loaded before the others it says what
// happens there (tsan_interface.h), and does nothing in programs without the sanitizer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static SWIFT void (*lock_)(uint32_t, SELF);
static SWIFT bool (*try_)(SELF);
static SWIFT void (*unlock_)(SELF);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void __attribute__((constructor)) find(void) {
  *(void **)&lock_ = dlsym(RTLD_NEXT, LOCK);
  *(void **)&try_ = dlsym(RTLD_NEXT, TRY);
  *(void **)&unlock_ = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF) {
  lock_(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_slow(SELF) __asm__(TRY);
SWIFT bool try_slow(SELF) {
  bool isTaken = try_(mutex);
  if (isTaken && __tsan_acquire) __tsan_acquire(mutex);
  return isTaken;
}

SWIFT void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(mutex);
  unlock_(mutex);
}
