#ifndef CVARVE_ATOMICS_H
#define CVARVE_ATOMICS_H

#include <stdint.h>

/* Atomic access to words in memory that Swift does not own: mapped and shared pages. */

static inline uint64_t varve_load64(const void *word) {
  return __atomic_load_n((const uint64_t *)word, __ATOMIC_ACQUIRE);
}

static inline void varve_store64(void *word, uint64_t value) {
  __atomic_store_n((uint64_t *)word, value, __ATOMIC_RELEASE);
}

static inline uint32_t varve_load32(const void *word) {
  return __atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE);
}

static inline void varve_store32(void *word, uint32_t value) {
  __atomic_store_n((uint32_t *)word, value, __ATOMIC_RELEASE);
}

/* Returns 1 when the word was `expected` and is now `desired`. */
static inline int varve_exchange32(void *word, uint32_t expected, uint32_t desired) {
  return __atomic_compare_exchange_n((uint32_t *)word, &expected, desired, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

static inline uintptr_t varve_load_word(const void *word) {
  return __atomic_load_n((const uintptr_t *)word, __ATOMIC_ACQUIRE);
}

static inline void varve_store_word(void *word, uintptr_t value) {
  __atomic_store_n((uintptr_t *)word, value, __ATOMIC_RELEASE);
}

/* Returns 1 when the word was `expected` and is now `desired`. */
static inline int varve_exchange_word(void *word, uintptr_t expected, uintptr_t desired) {
  return __atomic_compare_exchange_n((uintptr_t *)word, &expected, desired, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

/* Orders later loads after earlier ones. */
static inline void varve_load_fence(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return;
#endif
#endif
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#endif
