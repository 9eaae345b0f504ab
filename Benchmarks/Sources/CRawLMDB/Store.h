// What the files of this target share.

#ifndef CRAWLMDB_STORE_H
#define CRAWLMDB_STORE_H

#include <lmdb.h>
#include <string.h>

#include "CRawLMDB.h"

/// The tables. Keys of ids and positions are MDB_INTEGERKEY; all others are ordered by memcmp.
enum {
  TABLE_PERSONS,   // id → person
  TABLE_INDEXED,   // id → person
  TABLE_NAMES,     // name, id → nothing
  TABLE_AGES,      // age, id → nothing
  TABLE_SCORES,    // score, id → nothing
  TABLE_NAMED,     // name → person
  TABLE_LIST,      // position → int64_t
  TABLE_MAP,       // key → int64_t
  TABLE_BLOBS,     // id → bytes
  TABLE_MESSAGES,  // id → bytes
  TABLE_PAGES,     // path → bytes
  TABLE_LOG,       // number → bytes
  TABLE_DOCUMENTS, // id → header, lengths, texts
  TABLE_COUNT
};

struct rawlmdb_store {
  MDB_env *environment;
  MDB_dbi tables[TABLE_COUNT];
};

struct rawlmdb_reader {
  rawlmdb_store *store;
  MDB_txn *transaction;
  // What is copied out; grows.
  void *buffer;
  size_t capacity;
};

struct rawlmdb_writer {
  rawlmdb_store *store;
  MDB_txn *transaction;
  // Opened by rawlmdb_put_ascending in this table, or null.
  MDB_cursor *cursor;
  int table;
};

/// Makes a buffer large enough; gives ENOMEM if it cannot be.
int rawlmdb_reserve(void **buffer, size_t *capacity, size_t count);

/// Puts with a cursor at the end of the table, where ascending keys go without a search; a key that does not go there
/// is put where it belongs.
int rawlmdb_put_ascending(MDB_cursor *cursor, MDB_val *key, MDB_val *value);

/// The same with the cursor of a writer, which changes the table when another one is asked for.
int rawlmdb_writer_put_ascending(
  rawlmdb_writer *writer, int table, MDB_val *key, MDB_val *value);

int rawlmdb_cursor_open(rawlmdb_reader *reader, int table, MDB_cursor **cursor);

static inline MDB_val rawlmdb_value(const void *bytes, size_t count) {
  return (MDB_val){.mv_size = count, .mv_data = (void *)bytes};
}

static inline int rawlmdb_get(rawlmdb_reader *reader, int table, MDB_val *key, MDB_val *value) {
  return mdb_get(reader->transaction, reader->store->tables[table], key, value);
}

/// What LMDB hands out is aligned to two bytes.
static inline uint64_t rawlmdb_load(const void *bytes) {
  uint64_t number;
  memcpy(&number, bytes, sizeof number);
  return number;
}

/// Numbers whose memcmp order is their order.
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

/// Adds a number; its place counts.
static inline void rawlmdb_add_next(rawlmdb_checksum *checksum, int64_t number) {
  checksum->count += 1;
  checksum->integers = (long)((uint64_t)checksum->integers * 31 + (uint64_t)number);
}

#endif
