#define _GNU_SOURCE
#include "CVarve.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int varve_futex_wait(const void *word, uint32_t expected, int64_t nanoseconds, int shared) {
  struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  int operation = shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE;
  long result =
      syscall(SYS_futex, word, operation, expected, nanoseconds < 0 ? NULL : &limit, NULL, 0);
  return result == 0 ? 0 : errno;
}

int varve_futex_wake(const void *word, int count, int shared) {
  int operation = shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE;
  long result = syscall(SYS_futex, word, operation, count, NULL, NULL, 0);
  return result < 0 ? 0 : (int)result;
}
