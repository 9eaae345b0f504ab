#ifndef CVARVE_BYTES_H
#define CVARVE_BYTES_H

#include <stddef.h>
#include <string.h>

/* The order of byte strings, which is LMDB's order of keys: unsigned bytes from the left, and a prefix
   before what it begins. Negative, 0 or positive. Either may be null when it has no bytes. */
static inline long varve_compare_bytes(const void *left, long left_count, const void *right, long right_count) {
  long count = left_count < right_count ? left_count : right_count;
  int order = count > 0 ? memcmp(left, right, (size_t)count) : 0;
  return order != 0 ? order : left_count - right_count;
}

/* Asks for the cache line of an address to be brought near. Never faults, wherever that is. */
static inline void varve_prefetch_line(const void *address) { __builtin_prefetch(address, 0, 3); }

/* Asks for the memory from `start` on to be brought near, line by line. Never faults, wherever that is. Not unrolled:
   processors foresee what one instruction asks for next, and not what eight ask for in turn. */
static inline void varve_prefetch(const void *start, long count) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (long offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)start + offset, 0, 3);
}

#endif
