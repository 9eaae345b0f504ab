#ifndef CVARVE_SHARED_MUTEX_H
#define CVARVE_SHARED_MUTEX_H

#include <stdint.h>

/* A robust mutex in memory shared by processes. It belongs to the thread that locked it. */

/* The size of the mutex in this C library, which is recorded in the header of the signal page. */
uint32_t varve_shared_mutex_size(void);

/* Returns 0 or an errno. */
int varve_shared_mutex_initialize(void *mutex);

/* Waits up to `nanoseconds` (0: only tries). Returns 0, EOWNERDEAD (locked, and made consistent: the
   owner died), ETIMEDOUT, EDEADLK (this thread holds it) or another errno. */
int varve_shared_mutex_lock(void *mutex, int64_t nanoseconds);

int varve_shared_mutex_unlock(void *mutex);

#endif
