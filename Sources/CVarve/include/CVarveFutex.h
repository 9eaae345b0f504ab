#ifndef CVARVE_FUTEX_H
#define CVARVE_FUTEX_H

#include <stdint.h>

/* Sleeps while *word == expected, at most `nanoseconds` (negative: without limit).
   `shared` is 1 for a word in memory shared with other processes.
   Returns 0 when woken, else an errno: EAGAIN (the word differs), ETIMEDOUT, EINTR. */
int varve_futex_wait(const void *word, uint32_t expected, int64_t nanoseconds, int shared);

/* Wakes up to `count` waiters. Returns the number woken. */
int varve_futex_wake(const void *word, int count, int shared);

#endif
