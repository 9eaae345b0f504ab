// The row of a person, and its making from the id.

#ifndef CRAWLMDB_PERSON_H
#define CRAWLMDB_PERSON_H

#include "Store.h"

enum { NAME_SIZE = 16 };

/// A person as it is stored, 60 bytes.
///
/// The properties take 48 of them. The rest is padding that makes a row take as much of a page as one of Varve does:
/// with the key of 8 bytes, LMDB's header of 8 and its offset of 2, 52 rows fill a page, and 1 M persons take
/// 79.2 MB in either. So both read the same number of pages.
typedef struct __attribute__((packed)) {
  // Ends at the first zero, or at its end.
  char name[NAME_SIZE];
  int64_t age;
  double score;
  double created;
  // The id once more where the key is the name.
  int64_t number;
  uint8_t padding[12];
} person;

_Static_assert(sizeof(person) == 60, "rows have the size that the comment tells");

/// As SplitMix.mix of BenchmarkKit.
static inline uint64_t person_mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
  return bits ^ (bits >> 31);
}

/// As Person.init of BenchmarkKit.
static inline void person_make(person *made, long id) {
  uint64_t bits = person_mix((uint64_t)id + 1);
  for (int index = 0; index < NAME_SIZE; index++) {
    made->name[index] = "0123456789abcdef"[bits >> (60 - index * 4) & 15];
  }
  made->age = (int64_t)(bits % 100);
  made->score = (double)(bits >> 40) / 16;
  made->created = 1600000000.0 + (double)id;
  made->number = id;
  memset(made->padding, 0, sizeof made->padding);
}

/// A row whose place in the map need not be aligned.
static inline const person *person_at(MDB_val value) { return value.mv_data; }

/// Adds name, age and score. A name that has no zero at its end is full, which most are.
static inline void person_add(rawlmdb_checksum *checksum, const person *row) {
  checksum->count += 1;
  checksum->integers += row->age;
  checksum->bytes += row->name[0] && row->name[NAME_SIZE - 1]
    ? NAME_SIZE
    : (long)strnlen(row->name, NAME_SIZE);
  checksum->scores += row->score;
}

#endif
