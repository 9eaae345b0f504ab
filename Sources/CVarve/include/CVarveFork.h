#ifndef CVARVE_FORK_H
#define CVARVE_FORK_H

#include <stddef.h>
#include <stdint.h>

/* 1 in a child made by fork() after `varve_watch_forks`, for ever. */
extern int varve_fork_flag;

static inline int varve_is_forked(void) {
  return __atomic_load_n(&varve_fork_flag, __ATOMIC_RELAXED);
}

/* Registers the handler that raises the flag and empties the mappings; once a process. Returns 0 or an
   errno. */
int varve_watch_forks(void);

/* A mapping of which a child made by fork() gets zeros in place of the file: the parent's pins do not hold
   there, so the pages of the file would change under the child's reads. */
typedef struct varve_mapping {
  void *_Nullable base; /* NULL while the record is free */
  size_t size;
  struct varve_mapping *_Nullable next; /* records are never freed, so the list only grows */
  uint32_t taken;
} varve_mapping;

/* Notes a mapping, from before its first read on. Returns NULL when there is no memory for that. */
varve_mapping *_Nullable varve_mapping_note(void *_Nonnull base, size_t size);

/* Forgets a mapping that is about to be unmapped. */
void varve_mapping_forget(varve_mapping *_Nonnull mapping);

/* Replaces the file by zeros in a mapping that stays: its reads find no page valid from then on. */
void varve_mapping_empty(varve_mapping *_Nonnull mapping);

/* fork(2), which Swift does not import. For tests. */
int varve_fork(void);

#endif
