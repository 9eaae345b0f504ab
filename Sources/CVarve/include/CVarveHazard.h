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
  uint32_t number;         /* 0, 1, …: of no other slot; a constant */
  uint32_t watched;        /* 1 when the end of the thread is to be told; used by the owning thread only */
} __attribute__((aligned(128))) varve_slot;

/* Initial-exec: one load relative to the thread register instead of a call. */
extern _Thread_local varve_slot *_Nullable varve_thread_slot
    __attribute__((tls_model("initial-exec")));
extern int varve_asymmetric_barriers; /* 1 once `membarrier` is registered */

/* Gives this thread a slot. Never fails: it aborts when not even 128 bytes can be had. */
varve_slot *_Nonnull varve_slot_acquire(void);

static inline varve_slot *_Nonnull varve_slot_current(void) {
  varve_slot *slot = varve_thread_slot;
  return __builtin_expect(slot != 0, 1) ? slot : varve_slot_acquire();
}

/* The number of this thread's slot; less than the most threads that were at once. */
static inline uint32_t varve_slot_number(void) { return varve_slot_current()->number; }

static inline void varve_slot_announce(varve_slot *_Nonnull slot, const void *_Nullable object) {
  if (__builtin_expect(varve_asymmetric_barriers, 1)) {
    __atomic_store_n(&slot->announced, (void *)object, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_exchange_n(&slot->announced, (void *)object, __ATOMIC_SEQ_CST);
  }
}

/* Ends the announcement. Returns 1 when retired objects are waiting for exactly this. */
static inline int varve_slot_clear(varve_slot *_Nonnull slot) {
  varve_slot_announce(slot, 0);
  if (__builtin_expect(varve_asymmetric_barriers, 1))
    return __atomic_load_n(&slot->owed, __ATOMIC_RELAXED) != 0;
  return __atomic_load_n(&slot->owed, __ATOMIC_SEQ_CST) != 0;
}

static inline int varve_slot_is_busy(const varve_slot *_Nonnull slot) {
  return __atomic_load_n(&slot->announced, __ATOMIC_RELAXED) != 0;
}

/* After it, every announcement made or ended before is visible here, and every one that is made or ended
   later comes with a view of what the caller wrote before. */
void varve_heavy_barrier(void);

/* How many of them there were. For tests. */
uint64_t varve_heavy_barrier_count(void);

/* 1 when the thread of a slot announces `object`. */
static inline int varve_slot_announces(const varve_slot *_Nonnull slot,
                                       const void *_Nullable object) {
  return __atomic_load_n(&slot->announced, __ATOMIC_SEQ_CST) == object;
}

/* The next slot after `slot`, or the first one after NULL, whose thread announces `object`. */
varve_slot *_Nullable varve_next_announcing(const varve_slot *_Nullable slot,
                                            const void *_Nullable object);

/* Has the thread of a slot say so when it ends its announcement, or no more. */
static inline void varve_slot_owe(varve_slot *_Nonnull slot, uint32_t owed) {
  __atomic_store_n(&slot->owed, owed, __ATOMIC_SEQ_CST);
}

/* Has a function called when this thread ends, on it and while it still has its slot. One function for all threads. */
void varve_slot_watch_end(void (*_Nonnull handler)(void));

/* How many slots exist, used or free. */
int varve_slot_count(void);

#endif
