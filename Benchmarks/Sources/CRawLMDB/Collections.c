#include "Store.h"

int rawlmdb_append_to_list(rawlmdb_store *store, long count) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  MDB_cursor *cursor = NULL;
  status = mdb_cursor_open(transaction, store->tables[TABLE_LIST], &cursor);
  uint64_t position = 0;
  MDB_val key, value;
  if (!status) {
    status = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
    if (!status) position = rawlmdb_load(key.mv_data) + 1;
    if (status == MDB_NOTFOUND) status = 0;
  }
  for (int64_t element = 0; !status && element < count; element++, position++) {
    key = rawlmdb_value(&position, sizeof position);
    value = rawlmdb_value(&element, sizeof element);
    status = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
  }
  if (cursor) mdb_cursor_close(cursor);
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

int rawlmdb_read_list(
  rawlmdb_reader *reader, const long *indexes, long count, rawlmdb_checksum *checksum) {
  rawlmdb_checksum sum = *checksum;
  for (long index = 0; index < count; index++) {
    uint64_t position = (uint64_t)indexes[index];
    MDB_val key = rawlmdb_value(&position, sizeof position), value;
    int status = rawlmdb_get(reader, TABLE_LIST, &key, &value);
    if (status) return status;
    rawlmdb_add_next(&sum, (int64_t)rawlmdb_load(value.mv_data));
  }
  *checksum = sum;
  return 0;
}

int rawlmdb_put_into_map(rawlmdb_writer *writer, rawlmdb_bytes text, long number) {
  int64_t stored = number;
  MDB_val key = rawlmdb_value(text.bytes, (size_t)text.count);
  MDB_val value = rawlmdb_value(&stored, sizeof stored);
  return mdb_put(writer->transaction, writer->store->tables[TABLE_MAP], &key, &value, 0);
}

int rawlmdb_read_map(rawlmdb_reader *reader, rawlmdb_bytes text, rawlmdb_checksum *checksum) {
  MDB_val key = rawlmdb_value(text.bytes, (size_t)text.count), value;
  int status = rawlmdb_get(reader, TABLE_MAP, &key, &value);
  if (!status) rawlmdb_add_next(checksum, (int64_t)rawlmdb_load(value.mv_data));
  return status == MDB_NOTFOUND ? 0 : status;
}

int rawlmdb_read_whole_map(rawlmdb_reader *reader, rawlmdb_checksum *checksum) {
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_MAP, &cursor);
  if (status) return status;
  rawlmdb_checksum sum = *checksum;
  MDB_val key, value;
  for (status = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !status;
       status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    sum.count += 1;
    sum.integers += (int64_t)rawlmdb_load(value.mv_data);
    sum.bytes += (long)key.mv_size;
  }
  mdb_cursor_close(cursor);
  *checksum = sum;
  return status == MDB_NOTFOUND ? 0 : status;
}
