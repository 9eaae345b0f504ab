// The declarations shared by the files of this target.

#ifndef CRAWLMDB_STORE_H
#define CRAWLMDB_STORE_H

#include <lmdb.h>
#include <string.h>

#include "CRawLMDB.h"

/// The tables. Keys of ids and positions are MDB_INTEGERKEY; all others are ordered by memcmp.
enum {
  TABLE_PERSONS,     // id → person
  TABLE_INDEXED,     // id → person
  TABLE_NAMES,       // name, id → nothing
  TABLE_AGES,        // age, id → nothing
  TABLE_SCORES,      // score, id → nothing
  TABLE_NAMED,       // name → person
  TABLE_LIST,        // position → int64_t
  TABLE_MAP,         // key → int64_t
  TABLE_BLOBS,       // id → bytes
  TABLE_MESSAGES,    // id → bytes
  TABLE_PAGES,       // path → bytes
  TABLE_LOG,         // number → bytes
  TABLE_DOCUMENTS,   // id → header, lengths, texts
  TABLE_SMALL_LISTS, // id → length and bytes of each element
  TABLE_SMALL_MAPS,  // id → length and bytes of each key, value
  TABLE_COUNT
};

struct rawlmdb_store {
  MDB_env *environment;
  MDB_dbi tables[TABLE_COUNT];
};

struct rawlmdb_reader {
  rawlmdb_store *store;
  MDB_txn *transaction;
  // Receives copied bytes; grows as needed.
  void *buffer;
  size_t capacity;
};

struct rawlmdb_writer {
  rawlmdb_store *store;
  MDB_txn *transaction;
  // Opened by rawlmdb_writer_open_cursor on `table`, or null.
  MDB_cursor *cursor;
  int table;
};

/// Grows a buffer to a capacity of at least count bytes. Returns ENOMEM if there is no memory.
int rawlmdb_reserve(void **buffer, size_t *capacity, size_t count);

/// Puts an entry at the end of the table without a search. A key that does not belong there is put at
/// its position in the order.
int rawlmdb_put_ascending(MDB_cursor *cursor, MDB_val *key, MDB_val *value);

/// Opens the writer's cursor on a table. It is reopened when the table changes.
int rawlmdb_writer_open_cursor(rawlmdb_writer *writer, int table);

/// Puts an entry like rawlmdb_put_ascending with the writer's cursor.
int rawlmdb_writer_put_ascending(
  rawlmdb_writer *writer, int table, MDB_val *key, MDB_val *value);

int rawlmdb_cursor_open(rawlmdb_reader *reader, int table, MDB_cursor **cursor);

static inline MDB_val rawlmdb_value(const void *bytes, size_t count) {
  return (MDB_val){.mv_size = count, .mv_data = (void *)bytes};
}

static inline int rawlmdb_get(rawlmdb_reader *reader, int table, MDB_val *key, MDB_val *value) {
  return mdb_get(reader->transaction, reader->store->tables[table], key, value);
}

/// Loads an integer from bytes of LMDB, which are aligned to two bytes.
static inline uint64_t rawlmdb_load(const void *bytes) {
  uint64_t number;
  memcpy(&number, bytes, sizeof number);
  return number;
}

/// Stores a number as bytes whose memcmp order is the numeric order.
static inline void rawlmdb_store_ordered(uint8_t *bytes, uint64_t number) {
  number = __builtin_bswap64(number);
  memcpy(bytes, &number, sizeof number);
}

static inline uint64_t rawlmdb_ordered_integer(int64_t number) {
  return (uint64_t)number ^ (1ULL << 63);
}

static inline uint64_t rawlmdb_ordered_double(double number) {
  uint64_t bits = rawlmdb_load(&number);
  return bits >> 63 ? ~bits : bits ^ (1ULL << 63);
}

/// Adds a number. Its position affects the sum.
static inline void rawlmdb_add_next(rawlmdb_checksum *checksum, int64_t number) {
  checksum->count += 1;
  checksum->integers = (long)((uint64_t)checksum->integers * 31 + (uint64_t)number);
}

#endif
