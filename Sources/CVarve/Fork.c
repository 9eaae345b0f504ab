#define _GNU_SOURCE
#include "CVarve.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

int varve_fork_flag;

/* A page of records. Blocks are never freed: each record in a block of its own would keep a page of the heap
   in use after its store was closed. */
enum { varve_block_size = 4096 };
typedef struct varve_mapping_block {
  struct varve_mapping_block *next;
  varve_mapping records[(varve_block_size - sizeof(void *)) / sizeof(varve_mapping)];
} varve_mapping_block;

static varve_mapping_block *varve_mapping_blocks; /* head of the list, only ever prepended to */
static varve_mapping *varve_free_mappings;        /* guarded by the lock */
static pthread_mutex_t varve_mapping_lock = PTHREAD_MUTEX_INITIALIZER;
static int varve_fork_result;
static pthread_once_t varve_fork_once = PTHREAD_ONCE_INIT;

/* Replaces the mapping of a file by zeros. */
static void varve_map_zeros(void *base, size_t size) {
  void *zeros = mmap(base, size, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  /* A read that kills the process is better than one that returns another version's bytes. */
  if (zeros == MAP_FAILED) mprotect(base, size, PROT_NONE);
}

/* Runs in the child, where no other thread exists: a change of the records by another thread may be half
   done, and nobody releases its lock. A record has a base only while its mapping exists, and only system
   calls are made here. */
static void varve_become_child(void) {
  __atomic_store_n(&varve_fork_flag, 1, __ATOMIC_RELAXED);
  varve_mapping_block *block = __atomic_load_n(&varve_mapping_blocks, __ATOMIC_ACQUIRE);
  for (; block != NULL; block = block->next) {
    for (size_t i = 0; i < sizeof block->records / sizeof *block->records; i++) {
      void *base = __atomic_load_n(&block->records[i].base, __ATOMIC_ACQUIRE);
      if (base != NULL) varve_map_zeros(base, block->records[i].size);
    }
  }
}

static void varve_register_fork_handler(void) {
  varve_fork_result = pthread_atfork(NULL, NULL, varve_become_child);
}

int varve_watch_forks(void) {
  pthread_once(&varve_fork_once, varve_register_fork_handler);
  return varve_fork_result;
}

/* Adds a block of free records. Returns whether there was memory. */
static int varve_add_mappings(void) {
  varve_mapping_block *block = mmap(NULL, varve_block_size, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return 0;
  for (size_t i = 0; i < sizeof block->records / sizeof *block->records; i++) {
    block->records[i].next_free = varve_free_mappings;
    varve_free_mappings = &block->records[i];
  }
  block->next = varve_mapping_blocks;
  __atomic_store_n(&varve_mapping_blocks, block, __ATOMIC_RELEASE);
  return 1;
}

varve_mapping *varve_mapping_note(void *base, size_t size) {
  pthread_mutex_lock(&varve_mapping_lock);
  varve_mapping *mapping = NULL;
  if (varve_free_mappings != NULL || varve_add_mappings()) {
    mapping = varve_free_mappings;
    varve_free_mappings = mapping->next_free;
    mapping->size = size;
    __atomic_store_n(&mapping->base, base, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&varve_mapping_lock);
  return mapping;
}

void varve_mapping_forget(varve_mapping *mapping) {
  __atomic_store_n(&mapping->base, NULL, __ATOMIC_RELEASE);
  /* A child makes no mappings. */
  if (varve_is_forked()) return;
  pthread_mutex_lock(&varve_mapping_lock);
  mapping->next_free = varve_free_mappings;
  varve_free_mappings = mapping;
  pthread_mutex_unlock(&varve_mapping_lock);
}

void varve_mapping_empty(varve_mapping *mapping) {
  void *base = __atomic_load_n(&mapping->base, __ATOMIC_ACQUIRE);
  if (base != NULL) varve_map_zeros(base, mapping->size);
}

int varve_fork(void) { return fork(); }
