#define _GNU_SOURCE
#include "CVarve.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

uint32_t varve_shared_mutex_size(void) { return sizeof(pthread_mutex_t); }

int varve_shared_mutex_initialize(void *mutex) {
  pthread_mutexattr_t attributes;
  int result = pthread_mutexattr_init(&attributes);
  if (result != 0) return result;
  result = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  if (result == 0) result = pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  if (result == 0) result = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  if (result == 0) result = pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return result;
}

int varve_shared_mutex_lock(void *mutex, int64_t nanoseconds) {
  int result = pthread_mutex_trylock(mutex);
  if (result == EBUSY) {
    if (nanoseconds <= 0) return ETIMEDOUT;
    struct timespec limit;
    /* The monotonic clock, so that a change of the wall clock does not extend the wait. */
    clock_gettime(CLOCK_MONOTONIC, &limit);
    int64_t end = limit.tv_nsec + nanoseconds;
    limit.tv_sec += end / 1000000000;
    limit.tv_nsec = end % 1000000000;
    result = pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &limit);
  }
  if (result == EOWNERDEAD) pthread_mutex_consistent(mutex);
  return result;
}

int varve_shared_mutex_unlock(void *mutex) { return pthread_mutex_unlock(mutex); }
