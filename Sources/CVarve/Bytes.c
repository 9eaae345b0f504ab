#define _GNU_SOURCE
#include "CVarveBytes.h"

/* Finds candidates by their first byte and compares them, which is fastest for short texts and rare
   first bytes. After many failed candidates it continues with memmem, whose time is linear in the
   text for any part. */
int varve_contains_bytes(const void *text, size_t text_count, const void *part, size_t part_count) {
  const char *next = text, *first = part;
  if (part_count > text_count) return 0;
  const char *end = next + (text_count - part_count) + 1;
  size_t budget = 256 + 4 * text_count;
  while (next < end) {
    const char *found = memchr(next, first[0], (size_t)(end - next));
    if (found == NULL) return 0;
    if (memcmp(found, part, part_count) == 0) return 1;
    next = found + 1;
    if (part_count >= budget) return memmem(next, (size_t)(end - next) + part_count - 1, part, part_count) != NULL;
    budget -= part_count;
  }
  return 0;
}
