#define _GNU_SOURCE
#include "CVarve.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int varve_fork_flag;

static varve_mapping *varve_mappings; /* head of the list, only ever prepended to */
static int varve_fork_result;
static pthread_once_t varve_fork_once = PTHREAD_ONCE_INIT;

/* Replaces the mapping of a file by zeros. */
static void varve_map_zeros(void *base, size_t size) {
  void *zeros = mmap(base, size, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  /* A read that kills the process is better than one that returns another version's bytes. */
  if (zeros == MAP_FAILED) mprotect(base, size, PROT_NONE);
}

/* Runs in the child, where no other thread exists: a change of the list by another thread may be half done.
   A record has a base only while its mapping exists, and only system calls are made here. */
static void varve_become_child(void) {
  __atomic_store_n(&varve_fork_flag, 1, __ATOMIC_RELAXED);
  varve_mapping *mapping = __atomic_load_n(&varve_mappings, __ATOMIC_ACQUIRE);
  for (; mapping != NULL; mapping = mapping->next) {
    void *base = __atomic_load_n(&mapping->base, __ATOMIC_ACQUIRE);
    if (base == NULL) continue;
    varve_map_zeros(base, mapping->size);
  }
}

static void varve_register_fork_handler(void) {
  varve_fork_result = pthread_atfork(NULL, NULL, varve_become_child);
}

int varve_watch_forks(void) {
  pthread_once(&varve_fork_once, varve_register_fork_handler);
  return varve_fork_result;
}

varve_mapping *varve_mapping_note(void *base, size_t size) {
  varve_mapping *mapping = __atomic_load_n(&varve_mappings, __ATOMIC_ACQUIRE);
  for (; mapping != NULL; mapping = mapping->next) {
    uint32_t free = 0;
    if (__atomic_compare_exchange_n(&mapping->taken, &free, 1, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      break;
  }
  if (mapping == NULL) {
    mapping = calloc(1, sizeof *mapping);
    if (mapping == NULL) return NULL;
    mapping->taken = 1;
    mapping->next = __atomic_load_n(&varve_mappings, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&varve_mappings, &mapping->next, mapping, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
  }
  mapping->size = size;
  __atomic_store_n(&mapping->base, base, __ATOMIC_RELEASE);
  return mapping;
}

void varve_mapping_forget(varve_mapping *mapping) {
  __atomic_store_n(&mapping->base, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&mapping->taken, 0, __ATOMIC_RELEASE);
}

void varve_mapping_empty(varve_mapping *mapping) {
  void *base = __atomic_load_n(&mapping->base, __ATOMIC_ACQUIRE);
  if (base != NULL) varve_map_zeros(base, mapping->size);
}

int varve_fork(void) { return fork(); }
