#include <stdlib.h>

#include "Person.h"

/// Iterates a table of persons. The body can use the id and the row. Returns from the enclosing
/// function with the status of an error.
#define FOR_ALL_PERSONS(reader, table, id, row, body)                                            \
  do {                                                                                           \
    MDB_cursor *cursor;                                                                          \
    int status = rawlmdb_cursor_open(reader, table, &cursor);                                    \
    if (status) return status;                                                                   \
    MDB_val key, value;                                                                          \
    for (status = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !status;                      \
         status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {                              \
      const long id = (long)rawlmdb_load(key.mv_data);                                           \
      const person *const row = person_at(value);                                                \
      (void)id;                                                                                  \
      body                                                                                       \
    }                                                                                            \
    mdb_cursor_close(cursor);                                                                    \
    if (status != MDB_NOTFOUND) return status;                                                   \
  } while (0)

int rawlmdb_read_ages(rawlmdb_reader *reader, bool isIndexed, rawlmdb_checksum *checksum) {
  long count = 0, sum = 0;
  FOR_ALL_PERSONS(reader, isIndexed ? TABLE_INDEXED : TABLE_PERSONS, id, row, {
    count += 1;
    sum += row->age;
  });
  checksum->count += count;
  checksum->integers += sum;
  return 0;
}

int rawlmdb_scan_older(rawlmdb_reader *reader, long age, long *found) {
  long count = 0;
  FOR_ALL_PERSONS(reader, TABLE_PERSONS, id, row, { count += row->age > age; });
  *found = count;
  return 0;
}

int rawlmdb_scan_age(rawlmdb_reader *reader, long age, long *found) {
  long count = 0;
  FOR_ALL_PERSONS(reader, TABLE_PERSONS, id, row, { count += row->age == age; });
  *found = count;
  return 0;
}

static bool begins(const person *row, const rawlmdb_bytes *prefixes, long count) {
  for (long index = 0; index < count; index++) {
    size_t size = (size_t)prefixes[index].count;
    if (size == 0 || (size <= NAME_SIZE && memcmp(row->name, prefixes[index].bytes, size) == 0)) {
      return true;
    }
  }
  return false;
}

int rawlmdb_scan_prefixes(
  rawlmdb_reader *reader, const rawlmdb_bytes *prefixes, long prefixCount, long *found) {
  long count = 0;
  FOR_ALL_PERSONS(
    reader, TABLE_PERSONS, id, row, { count += begins(row, prefixes, prefixCount); });
  *found = count;
  return 0;
}

static int compare_names(const void *first, const void *second) {
  return memcmp(first, second, NAME_SIZE);
}

int rawlmdb_scan_names(rawlmdb_reader *reader, uint8_t *names, long nameCount, long *found) {
  long count = 0;
  size_t size = (size_t)nameCount;
  qsort(names, size, NAME_SIZE, compare_names);
  FOR_ALL_PERSONS(reader, TABLE_PERSONS, id, row, {
    count += bsearch(row->name, names, size, NAME_SIZE, compare_names) != NULL;
  });
  *found = count;
  return 0;
}

struct scored {
  double score;
  long id;
};

/// Keeps the lowest scores in order. Ids ascend, so that persons with the same score are in the order
/// of their ids.
static long keep(struct scored *lowest, long kept, long limit, struct scored candidate) {
  long place = kept;
  while (place > 0 && lowest[place - 1].score > candidate.score) place -= 1;
  long moved = (kept < limit ? kept : limit - 1) - place;
  memmove(&lowest[place + 1], &lowest[place], (size_t)moved * sizeof *lowest);
  lowest[place] = candidate;
  return kept < limit ? kept + 1 : limit;
}

static int scan_scores(rawlmdb_reader *reader, struct scored *lowest, long limit, long *count) {
  long kept = 0;
  double highest = 0;
  FOR_ALL_PERSONS(reader, TABLE_PERSONS, id, row, {
    if (kept < limit || row->score < highest) {
      kept = keep(lowest, kept, limit, (struct scored){row->score, id});
      highest = lowest[kept - 1].score;
    }
  });
  *count = kept;
  return 0;
}

int rawlmdb_scan_lowest_scores(rawlmdb_reader *reader, long *ids, long *count) {
  long limit = *count;
  *count = 0;
  if (limit <= 0) return 0;
  size_t size = 0;
  void *lowest = NULL;
  int status = rawlmdb_reserve(&lowest, &size, (size_t)limit * sizeof(struct scored));
  if (!status) status = scan_scores(reader, lowest, limit, count);
  for (long index = 0; index < *count; index++) {
    ids[index] = ((const struct scored *)lowest)[index].id;
  }
  free(lowest);
  return status;
}
