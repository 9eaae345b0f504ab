#include <stdlib.h>

#include "Person.h"

// An index is a table whose keys consist of the value, in bytes whose memcmp order is that of the
// values, and the id in big-endian order. Its values are empty, and its keys are distinct.

static int put_key(MDB_cursor *cursor, const void *bytes, size_t count) {
  MDB_val key = rawlmdb_value(bytes, count), nothing = rawlmdb_value("", 0);
  return mdb_cursor_put(cursor, &key, &nothing, 0);
}

static int put_number(MDB_cursor *cursor, uint64_t ordered, long id) {
  uint8_t bytes[16];
  rawlmdb_store_ordered(bytes, ordered);
  rawlmdb_store_ordered(bytes + 8, (uint64_t)id);
  return put_key(cursor, bytes, sizeof bytes);
}

static int put_name(MDB_cursor *cursor, const char *name, long id) {
  uint8_t bytes[NAME_SIZE + 8];
  memcpy(bytes, name, NAME_SIZE);
  rawlmdb_store_ordered(bytes + NAME_SIZE, (uint64_t)id);
  return put_key(cursor, bytes, sizeof bytes);
}

/// The constants of the rows and of the three indexes are consecutive.
enum { CURSOR_COUNT = TABLE_SCORES - TABLE_INDEXED + 1 };

static int put_indexed(MDB_cursor **cursors, long id) {
  person row;
  person_make(&row, id);
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number);
  MDB_val value = rawlmdb_value(&row, sizeof row);
  int status = rawlmdb_put_ascending(cursors[0], &key, &value);
  if (!status) status = put_name(cursors[TABLE_NAMES - TABLE_INDEXED], row.name, id);
  if (!status) {
    status =
      put_number(cursors[TABLE_AGES - TABLE_INDEXED], rawlmdb_ordered_integer(row.age), id);
  }
  if (!status) {
    status =
      put_number(cursors[TABLE_SCORES - TABLE_INDEXED], rawlmdb_ordered_double(row.score), id);
  }
  return status;
}

int rawlmdb_insert_indexed_persons(rawlmdb_store *store, long count) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  MDB_cursor *cursors[CURSOR_COUNT] = {0};
  for (int index = 0; !status && index < CURSOR_COUNT; index++) {
    status =
      mdb_cursor_open(transaction, store->tables[TABLE_INDEXED + index], &cursors[index]);
  }
  for (long id = 0; !status && id < count; id++) status = put_indexed(cursors, id);
  for (int index = 0; index < CURSOR_COUNT; index++) {
    if (cursors[index]) mdb_cursor_close(cursors[index]);
  }
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

/// Counts the keys that begin with a prefix.
static int count_prefix(MDB_cursor *cursor, const void *prefix, size_t size, long *found) {
  long count = 0;
  MDB_val key = rawlmdb_value(prefix, size), value;
  // LMDB does not search for an empty key.
  int status = mdb_cursor_get(cursor, &key, &value, size ? MDB_SET_RANGE : MDB_FIRST);
  while (!status && key.mv_size >= size && memcmp(key.mv_data, prefix, size) == 0) {
    count += 1;
    status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
  }
  *found += count;
  return status == MDB_NOTFOUND ? 0 : status;
}

int rawlmdb_count_age(rawlmdb_reader *reader, long age, long *found) {
  uint8_t prefix[8];
  rawlmdb_store_ordered(prefix, rawlmdb_ordered_integer(age));
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_AGES, &cursor);
  if (status) return status;
  *found = 0;
  status = count_prefix(cursor, prefix, sizeof prefix, found);
  mdb_cursor_close(cursor);
  return status;
}

int rawlmdb_count_older(rawlmdb_reader *reader, long age, long *found) {
  *found = 0;
  if (age == INT64_MAX) return 0;
  uint8_t start[8];
  rawlmdb_store_ordered(start, rawlmdb_ordered_integer(age + 1));
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_AGES, &cursor);
  if (status) return status;
  long count = 0;
  MDB_val key = rawlmdb_value(start, sizeof start), value;
  for (status = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE); !status;
       status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    count += 1;
  }
  mdb_cursor_close(cursor);
  *found = count;
  return status == MDB_NOTFOUND ? 0 : status;
}

int rawlmdb_count_prefixes(
  rawlmdb_reader *reader, const rawlmdb_bytes *prefixes, long count, long *found) {
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_NAMES, &cursor);
  if (status) return status;
  *found = 0;
  for (long index = 0; !status && index < count; index++) {
    // Excludes the bytes of the id.
    if (prefixes[index].count > NAME_SIZE) continue;
    status = count_prefix(cursor, prefixes[index].bytes, (size_t)prefixes[index].count, found);
  }
  mdb_cursor_close(cursor);
  return status;
}

static int compare_names(const void *first, const void *second) {
  return memcmp(first, second, NAME_SIZE);
}

/// The names are sorted, so that the index is walked in one direction and equal names are adjacent.
int rawlmdb_count_names(rawlmdb_reader *reader, uint8_t *names, long count, long *found) {
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_NAMES, &cursor);
  if (status) return status;
  qsort(names, (size_t)count, NAME_SIZE, compare_names);
  *found = 0;
  for (long index = 0; !status && index < count; index++) {
    const uint8_t *name = names + index * NAME_SIZE;
    if (index > 0 && memcmp(name - NAME_SIZE, name, NAME_SIZE) == 0) continue;
    status = count_prefix(cursor, name, NAME_SIZE, found);
  }
  mdb_cursor_close(cursor);
  return status;
}

int rawlmdb_lowest_scores(rawlmdb_reader *reader, long *ids, long *count) {
  long limit = *count, read = 0;
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_SCORES, &cursor);
  if (status) return status;
  MDB_val key, value;
  while (!status && read < limit) {
    status = mdb_cursor_get(cursor, &key, &value, read ? MDB_NEXT : MDB_FIRST);
    if (status) break;
    ids[read++] = (long)__builtin_bswap64(rawlmdb_load((const uint8_t *)key.mv_data + 8));
  }
  mdb_cursor_close(cursor);
  *count = read;
  return status == MDB_NOTFOUND ? 0 : status;
}
