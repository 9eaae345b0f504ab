#ifndef CVARVE_FORK_H
#define CVARVE_FORK_H

/* 1 in a child made by fork() after `varve_watch_forks`, for ever. */
extern int varve_fork_flag;

static inline int varve_is_forked(void) {
  return __atomic_load_n(&varve_fork_flag, __ATOMIC_RELAXED);
}

/* Registers the handler that raises the flag; once a process. Returns 0 or an errno. */
int varve_watch_forks(void);

/* fork(2), which Swift does not import. For tests. */
int varve_fork(void);

#endif
