#include "Store.h"

#include <errno.h>
#include <stdlib.h>

static const struct {
  const char *name;
  unsigned flags;
} tables[TABLE_COUNT] = {
  [TABLE_PERSONS] = {"persons", MDB_INTEGERKEY},
  [TABLE_INDEXED] = {"indexed", MDB_INTEGERKEY},
  [TABLE_NAMES] = {"names", 0},
  [TABLE_AGES] = {"ages", 0},
  [TABLE_SCORES] = {"scores", 0},
  [TABLE_NAMED] = {"named", 0},
  [TABLE_LIST] = {"list", MDB_INTEGERKEY},
  [TABLE_MAP] = {"map", 0},
  [TABLE_BLOBS] = {"blobs", MDB_INTEGERKEY},
  [TABLE_MESSAGES] = {"messages", MDB_INTEGERKEY},
  [TABLE_PAGES] = {"pages", 0},
  [TABLE_LOG] = {"log", MDB_INTEGERKEY},
  [TABLE_DOCUMENTS] = {"documents", MDB_INTEGERKEY},
  [TABLE_SMALL_LISTS] = {"small-lists", MDB_INTEGERKEY},
  [TABLE_SMALL_MAPS] = {"small-maps", MDB_INTEGERKEY},
};

const char *rawlmdb_message(int status) { return mdb_strerror(status); }

bool rawlmdb_is_missing(int status) { return status == MDB_NOTFOUND; }

/// Opens all tables in one transaction. The handles stay valid in all later transactions.
static int open_tables(rawlmdb_store *store) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  for (int table = 0; !status && table < TABLE_COUNT; table++) {
    status = mdb_dbi_open(
      transaction, tables[table].name, MDB_CREATE | tables[table].flags, &store->tables[table]);
  }
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

int rawlmdb_open(const char *path, bool isDurable, rawlmdb_store **opened) {
  rawlmdb_store *store = calloc(1, sizeof *store);
  if (!store) return ENOMEM;
  int status = mdb_env_create(&store->environment);
  if (status) {
    free(store);
    return status;
  }
  MDB_env *environment = store->environment;
  status = mdb_env_set_mapsize(environment, 16ULL << 30);
  if (!status) status = mdb_env_set_maxreaders(environment, 1024);
  if (!status) status = mdb_env_set_maxdbs(environment, TABLE_COUNT);
  unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (isDurable ? 0 : MDB_NOSYNC);
  if (!status) status = mdb_env_open(environment, path, flags, 0644);
  // Killed processes leave reader slots, which keep pages from being reused.
  if (!status) status = mdb_reader_check(environment, NULL);
  if (!status) status = open_tables(store);
  if (status) {
    rawlmdb_close(store);
    return status;
  }
  *opened = store;
  return 0;
}

void rawlmdb_close(rawlmdb_store *store) {
  mdb_env_close(store->environment);
  free(store);
}

int rawlmdb_reader_open(rawlmdb_store *store, rawlmdb_reader **opened) {
  rawlmdb_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return ENOMEM;
  reader->store = store;
  int status = mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &reader->transaction);
  if (status) {
    free(reader);
    return status;
  }
  *opened = reader;
  return 0;
}

void rawlmdb_reader_close(rawlmdb_reader *reader) {
  mdb_txn_abort(reader->transaction);
  free(reader->buffer);
  free(reader);
}

void rawlmdb_reader_rest(rawlmdb_reader *reader) { mdb_txn_reset(reader->transaction); }

int rawlmdb_reader_renew(rawlmdb_reader *reader) { return mdb_txn_renew(reader->transaction); }

int rawlmdb_cursor_open(rawlmdb_reader *reader, int table, MDB_cursor **cursor) {
  return mdb_cursor_open(reader->transaction, reader->store->tables[table], cursor);
}

int rawlmdb_writer_begin(rawlmdb_store *store, rawlmdb_writer **begun) {
  rawlmdb_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return ENOMEM;
  writer->store = store;
  int status = mdb_txn_begin(store->environment, NULL, 0, &writer->transaction);
  if (status) {
    free(writer);
    return status;
  }
  *begun = writer;
  return 0;
}

int rawlmdb_writer_end(rawlmdb_writer *writer, int status) {
  if (writer->cursor) mdb_cursor_close(writer->cursor);
  if (status) {
    mdb_txn_abort(writer->transaction);
  } else {
    status = mdb_txn_commit(writer->transaction);
  }
  free(writer);
  return status;
}

int rawlmdb_put_ascending(MDB_cursor *cursor, MDB_val *key, MDB_val *value) {
  int status = mdb_cursor_put(cursor, key, value, MDB_APPEND);
  return status == MDB_KEYEXIST ? mdb_cursor_put(cursor, key, value, 0) : status;
}

int rawlmdb_writer_open_cursor(rawlmdb_writer *writer, int table) {
  if (writer->cursor && writer->table == table) return 0;
  if (writer->cursor) mdb_cursor_close(writer->cursor);
  writer->cursor = NULL;
  writer->table = table;
  return mdb_cursor_open(writer->transaction, writer->store->tables[table], &writer->cursor);
}

int rawlmdb_writer_put_ascending(
  rawlmdb_writer *writer, int table, MDB_val *key, MDB_val *value) {
  int status = rawlmdb_writer_open_cursor(writer, table);
  return status ? status : rawlmdb_put_ascending(writer->cursor, key, value);
}

int rawlmdb_reserve(void **buffer, size_t *capacity, size_t count) {
  if (count <= *capacity) return 0;
  size_t larger = count < 2 * *capacity ? 2 * *capacity : count;
  void *grown = realloc(*buffer, larger);
  if (!grown) return ENOMEM;
  *buffer = grown;
  *capacity = larger;
  return 0;
}
