#ifndef CVARVE_BYTES_H
#define CVARVE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes as a number with the same order. */
static inline uint64_t varve_ordered_word(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* Compares byte strings in LMDB's key order: unsigned bytes from the left, and a prefix before its
   extensions. Returns a negative number, 0 or a positive number. Either may be null when it is empty.
   Most strings differ in their first sixteen bytes, which are compared inline to avoid a call. */
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

/* Returns 1 if `part` occurs in `text`, else 0. Neither may be null, and the part must not be empty. */
int varve_contains_bytes(const void *text, size_t text_count, const void *part, size_t part_count);

/* Prefetches the cache line of an address. Never faults, for any address. */
static inline void varve_prefetch_line(const void *address) { __builtin_prefetch(address, 0, 3); }

/* Prefetches the memory from `start` on, line by line. Never faults, for any address. Not unrolled:
   processors predict the next access of one instruction, but not those of eight in turn. */
static inline void varve_prefetch(const void *start, long count) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (long offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)start + offset, 0, 3);
}

#endif
