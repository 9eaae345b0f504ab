#ifndef CVARVE_HAZARD_H
#define CVARVE_HAZARD_H

#include <stdint.h>

/* Hazard slots: each thread owns one word in which it announces the object that it is reading.
   The reading side is two plain stores; the side that retires an object pays with `membarrier`.
   Where `membarrier` is missing, the announcement is a sequentially consistent exchange. */

typedef struct varve_slot {
  void *_Nullable announced;         /* written by the owning thread only */
  struct varve_slot *_Nullable next; /* slots are never freed, so the list only grows */
  uint32_t taken;          /* 1 while a thread owns the slot */
  uint32_t owed;           /* 1 when a retired object waits for the end of the announcement */
  uint32_t number;         /* 0, 1, …: unique among slots; constant */
  uint32_t watched;        /* 1 when the end handler is to be called; used by the owning thread only */
} __attribute__((aligned(128))) varve_slot;

/* Initial-exec: one load relative to the thread register instead of a call. */
extern _Thread_local varve_slot *_Nullable varve_thread_slot
    __attribute__((tls_model("initial-exec")));
extern int varve_asymmetric_barriers; /* 1 once `membarrier` is registered */

/* Assigns a slot to this thread. Never fails: it aborts when 128 bytes cannot be allocated. */
varve_slot *_Nonnull varve_slot_acquire(void);

static inline varve_slot *_Nonnull varve_slot_current(void) {
  varve_slot *slot = varve_thread_slot;
  return __builtin_expect(slot != 0, 1) ? slot : varve_slot_acquire();
}

/* The number of this thread's slot, less than the maximum number of threads that existed at once. */
static inline uint32_t varve_slot_number(void) { return varve_slot_current()->number; }

static inline void varve_slot_announce(varve_slot *_Nonnull slot, const void *_Nullable object) {
  if (__builtin_expect(varve_asymmetric_barriers, 1)) {
    __atomic_store_n(&slot->announced, (void *)object, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_exchange_n(&slot->announced, (void *)object, __ATOMIC_SEQ_CST);
  }
}

/* Ends the announcement. Returns 1 when retired objects wait for its end. */
static inline int varve_slot_clear(varve_slot *_Nonnull slot) {
  varve_slot_announce(slot, 0);
  if (__builtin_expect(varve_asymmetric_barriers, 1))
    return __atomic_load_n(&slot->owed, __ATOMIC_RELAXED) != 0;
  return __atomic_load_n(&slot->owed, __ATOMIC_SEQ_CST) != 0;
}

static inline int varve_slot_is_busy(const varve_slot *_Nonnull slot) {
  return __atomic_load_n(&slot->announced, __ATOMIC_RELAXED) != 0;
}

/* After the barrier, every announcement made or ended before it is visible to the caller, and every
   thread that makes or ends one later sees the caller's earlier writes. */
void varve_heavy_barrier(void);

/* The number of barriers so far. For tests. */
uint64_t varve_heavy_barrier_count(void);

/* Returns 1 when the thread of a slot announces `object`. */
static inline int varve_slot_announces(const varve_slot *_Nonnull slot,
                                       const void *_Nullable object) {
  return __atomic_load_n(&slot->announced, __ATOMIC_SEQ_CST) == object;
}

/* Returns the next slot after `slot` (NULL: the first one) whose thread announces `object`. */
varve_slot *_Nullable varve_next_announcing(const varve_slot *_Nullable slot,
                                            const void *_Nullable object);

/* Sets whether the thread of a slot must report the end of its announcement. */
static inline void varve_slot_owe(varve_slot *_Nonnull slot, uint32_t owed) {
  __atomic_store_n(&slot->owed, owed, __ATOMIC_SEQ_CST);
}

/* Registers a function to be called when this thread ends, on that thread and while it still has its
   slot. The function must be the same one for all threads. */
void varve_slot_watch_end(void (*_Nonnull handler)(void));

/* The number of slots, used or free. */
int varve_slot_count(void);

#endif
