#define _GNU_SOURCE
#include "CVarve.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local varve_slot *varve_thread_slot;
int varve_asymmetric_barriers;

static uint64_t varve_barriers;
static varve_slot *varve_slots; /* head of the list, only ever prepended to */
static pthread_key_t varve_slot_key;
static pthread_once_t varve_hazard_once = PTHREAD_ONCE_INIT;

static void (*varve_slot_end_handler)(void);

static void varve_slot_release(void *pointer) {
  varve_slot *slot = pointer;
  if (slot->watched) {
    slot->watched = 0;
    __atomic_load_n(&varve_slot_end_handler, __ATOMIC_ACQUIRE)();
  }
  varve_thread_slot = NULL;
  __atomic_store_n(&slot->announced, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&slot->taken, 0, __ATOMIC_RELEASE);
}

static void varve_hazard_initialize(void) {
  if (pthread_key_create(&varve_slot_key, varve_slot_release) != 0) abort();
  const char *choice = getenv("VARVE_MEMBARRIER");
  if (choice != NULL && strcmp(choice, "off") == 0) return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0)
    varve_asymmetric_barriers = 1;
}

static uint32_t varve_slot_numbers;

varve_slot *varve_slot_acquire(void) {
  pthread_once(&varve_hazard_once, varve_hazard_initialize);
  varve_slot *slot = __atomic_load_n(&varve_slots, __ATOMIC_ACQUIRE);
  for (; slot != NULL; slot = slot->next) {
    uint32_t free = 0;
    if (__atomic_compare_exchange_n(&slot->taken, &free, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      break;
  }
  if (slot == NULL) {
    slot = aligned_alloc(128, sizeof *slot);
    if (slot == NULL) abort();
    memset(slot, 0, sizeof *slot);
    slot->taken = 1;
    slot->number = __atomic_fetch_add(&varve_slot_numbers, 1, __ATOMIC_RELAXED);
    slot->next = __atomic_load_n(&varve_slots, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&varve_slots, &slot->next, slot, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
  }
  varve_thread_slot = slot;
  pthread_setspecific(varve_slot_key, slot);
  return slot;
}

void varve_slot_watch_end(void (*handler)(void)) {
  __atomic_store_n(&varve_slot_end_handler, handler, __ATOMIC_RELEASE);
  varve_slot_current()->watched = 1;
}

void varve_heavy_barrier(void) {
  pthread_once(&varve_hazard_once, varve_hazard_initialize);
  if (varve_asymmetric_barriers) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  }
  /* A counter rather than a fence, because the thread sanitizer does not support fences. */
  __atomic_add_fetch(&varve_barriers, 1, __ATOMIC_SEQ_CST);
}

uint64_t varve_heavy_barrier_count(void) {
  return __atomic_load_n(&varve_barriers, __ATOMIC_RELAXED);
}

varve_slot *varve_next_announcing(const varve_slot *slot, const void *object) {
  varve_slot *next =
      slot == NULL ? __atomic_load_n(&varve_slots, __ATOMIC_SEQ_CST) : slot->next;
  while (next != NULL && !varve_slot_announces(next, object)) next = next->next;
  return next;
}

int varve_slot_count(void) {
  int count = 0;
  varve_slot *slot = __atomic_load_n(&varve_slots, __ATOMIC_ACQUIRE);
  for (; slot != NULL; slot = slot->next) count += 1;
  return count;
}
