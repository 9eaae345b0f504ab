// The row of a person, computed from the id.

#ifndef CRAWLMDB_PERSON_H
#define CRAWLMDB_PERSON_H

#include "Store.h"

enum { NAME_SIZE = 16 };

/// A stored person of 60 bytes.
///
/// The properties take 48 bytes. The padding gives a row the size of one of Varve's rows, so that both
/// stores read the same number of pages: with a key of 8 bytes, LMDB's header of 8 bytes and its offset
/// of 2 bytes, 52 rows fill a page, and 1 M persons take 79.2 MB in both.
typedef struct __attribute__((packed)) {
  // Padded with zeros.
  char name[NAME_SIZE];
  int64_t age;
  double score;
  double created;
  // The id, also stored here for the table whose key is the name.
  int64_t number;
  uint8_t padding[12];
} person;

_Static_assert(sizeof(person) == 60, "rows have the documented size");

/// The same function as SplitMix.mix of BenchmarkKit.
static inline uint64_t person_mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
  return bits ^ (bits >> 31);
}

/// Computes the same values as Person.init of BenchmarkKit.
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

/// The row of a value. A value in the map need not be aligned.
static inline const person *person_at(MDB_val value) { return value.mv_data; }

/// Adds name, age and score. Most names fill their field, so the last byte is checked first.
static inline void person_add(rawlmdb_checksum *checksum, const person *row) {
  checksum->count += 1;
  checksum->integers += row->age;
  checksum->bytes += row->name[0] && row->name[NAME_SIZE - 1]
    ? NAME_SIZE
    : (long)strnlen(row->name, NAME_SIZE);
  checksum->scores += row->score;
}

#endif
