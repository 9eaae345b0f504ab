#define _GNU_SOURCE
#include "CVarve.h"

#include <pthread.h>
#include <unistd.h>

int varve_fork_flag;

static int varve_fork_result;
static pthread_once_t varve_fork_once = PTHREAD_ONCE_INIT;

static void varve_raise_fork_flag(void) { __atomic_store_n(&varve_fork_flag, 1, __ATOMIC_RELAXED); }

static void varve_register_fork_handler(void) {
  varve_fork_result = pthread_atfork(NULL, NULL, varve_raise_fork_flag);
}

int varve_watch_forks(void) {
  pthread_once(&varve_fork_once, varve_register_fork_handler);
  return varve_fork_result;
}

int varve_fork(void) { return fork(); }
