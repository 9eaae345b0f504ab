#ifndef CVARVE_FORK_H
#define CVARVE_FORK_H

#include <stddef.h>
#include <stdint.h>

/* Permanently 1 in a child created by fork() after `varve_watch_forks`. */
extern int varve_fork_flag;

static inline int varve_is_forked(void) {
  return __atomic_load_n(&varve_fork_flag, __ATOMIC_RELAXED);
}

/* Registers the handler that sets the flag and empties the mappings, once per process. Returns 0 or an
   errno. */
int varve_watch_forks(void);

/* A mapping that is replaced by zeros in a child created by fork(): the parent's pins do not protect
   the child, so the pages of the file would change under its reads. */
typedef struct varve_mapping {
  void *_Nullable base; /* NULL while the record is free */
  union {
    size_t size;
    struct varve_mapping *_Nullable next_free;
  };
} varve_mapping;

/* Registers a mapping, before its first read. Returns NULL when no memory is available. */
varve_mapping *_Nullable varve_mapping_note(void *_Nonnull base, size_t size);

/* Unregisters a mapping that is about to be unmapped. */
void varve_mapping_forget(varve_mapping *_Nonnull mapping);

/* Replaces a mapping by zeros without unmapping it: no page is valid from then on. */
void varve_mapping_empty(varve_mapping *_Nonnull mapping);

/* fork(2), which Swift does not import. For tests. */
int varve_fork(void);

#endif
