#ifndef CVARVE_BYTES_H
#define CVARVE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes as a number whose order is theirs. */
static inline uint64_t varve_ordered_word(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* The order of byte strings, which is LMDB's order of keys: unsigned bytes from the left, and a prefix
   before what it begins. Negative, 0 or positive. Either may be null when it has no bytes. Most differ in their first
   sixteen bytes, which takes less time to see than to call what compares any number. */
static inline long varve_compare_bytes(const void *left, long left_count, const void *right, long right_count) {
  long count = left_count < right_count ? left_count : right_count;
  const char *a = (const char *)left, *b = (const char *)right;
  for (int words = 0; words < 2 && count >= 8; words++) {
    uint64_t first = varve_ordered_word(a), second = varve_ordered_word(b);
    if (first != second) return first < second ? -1 : 1;
    a += 8, b += 8, count -= 8;
  }
  int order = count > 0 ? memcmp(a, b, (size_t)count) : 0;
  return order != 0 ? order : left_count - right_count;
}

/* Whether `part` occurs in `text`: 1 or 0. Neither may be null, and the part is not empty. In CVarve's Bytes.c. */
int varve_contains_bytes(const void *text, size_t text_count, const void *part, size_t part_count);

/* Asks for the cache line of an address to be brought near. Never faults, wherever that is. */
static inline void varve_prefetch_line(const void *address) { __builtin_prefetch(address, 0, 3); }

/* Asks for the memory from `start` on to be brought near, line by line. Never faults, wherever that is. Not unrolled:
   processors foresee what one instruction asks for next, and not what eight ask for in turn. */
static inline void varve_prefetch(const void *start, long count) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (long offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)start + offset, 0, 3);
}

#endif
