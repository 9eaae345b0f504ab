#include "Store.h"

/// The maximum size of a packed list or dictionary.
enum { MOST_BYTES = 4096, VALUE_SIZE = 8 };

/// Finds the packed value of an object with the writer's cursor.
static int find(rawlmdb_writer *writer, int table, const uint64_t *id, MDB_val *value) {
  int status = rawlmdb_writer_open_cursor(writer, table);
  if (status) return status;
  MDB_val key = rawlmdb_value(id, sizeof *id);
  status = mdb_cursor_get(writer->cursor, &key, value, MDB_SET);
  return !status && value->mv_size > MOST_BYTES ? MDB_BAD_VALSIZE : status;
}

/// Replaces the value that was found.
static int replace(
  rawlmdb_writer *writer, const uint64_t *id, const uint8_t *packed, size_t size) {
  MDB_val key = rawlmdb_value(id, sizeof *id), value = rawlmdb_value(packed, size);
  return mdb_cursor_put(writer->cursor, &key, &value, MDB_CURRENT);
}

static int put(rawlmdb_writer *writer, int table, long id, rawlmdb_bytes packed) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number);
  MDB_val value = rawlmdb_value(packed.bytes, (size_t)packed.count);
  return rawlmdb_writer_put_ascending(writer, table, &key, &value);
}

static int content(rawlmdb_reader *reader, int table, long id, rawlmdb_bytes *packed) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value;
  int status = rawlmdb_get(reader, table, &key, &value);
  if (!status) *packed = (rawlmdb_bytes){value.mv_data, (long)value.mv_size};
  return status;
}

int rawlmdb_put_small_list(rawlmdb_writer *writer, long id, rawlmdb_bytes packed) {
  return put(writer, TABLE_SMALL_LISTS, id, packed);
}

int rawlmdb_set_small_element(
  rawlmdb_writer *writer, long id, long index, rawlmdb_bytes element) {
  uint64_t number = (uint64_t)id;
  MDB_val value;
  int status = find(writer, TABLE_SMALL_LISTS, &number, &value);
  if (status) return status == MDB_NOTFOUND ? 0 : status;
  const uint8_t *old = value.mv_data, *end = old + value.mv_size, *place = old;
  for (; index > 0 && place < end; index--) place += 1 + *place;
  if (place >= end || end - place < 1 + *place) return MDB_CORRUPTED;
  if (element.count > UINT8_MAX) return MDB_BAD_VALSIZE;
  const uint8_t *rest = place + 1 + *place;
  // The value is copied, because the cursor must not put bytes of the map.
  uint8_t packed[MOST_BYTES + 1 + UINT8_MAX], *next = packed + (place - old);
  memcpy(packed, old, (size_t)(place - old));
  *next++ = (uint8_t)element.count;
  if (element.count) memcpy(next, element.bytes, (size_t)element.count);
  next += element.count;
  memcpy(next, rest, (size_t)(end - rest));
  next += end - rest;
  return replace(writer, &number, packed, (size_t)(next - packed));
}

int rawlmdb_small_list(rawlmdb_reader *reader, long id, rawlmdb_bytes *packed) {
  return content(reader, TABLE_SMALL_LISTS, id, packed);
}

int rawlmdb_put_small_map(rawlmdb_writer *writer, long id, rawlmdb_bytes packed) {
  return put(writer, TABLE_SMALL_MAPS, id, packed);
}

/// Sets the value of a key to a number, or adds the number to it.
static int change(
  rawlmdb_writer *writer, long id, rawlmdb_bytes wanted, int64_t value, bool isAdded) {
  uint64_t number = (uint64_t)id;
  MDB_val stored;
  int status = find(writer, TABLE_SMALL_MAPS, &number, &stored);
  if (status) return status == MDB_NOTFOUND ? 0 : status;
  uint8_t packed[MOST_BYTES];
  memcpy(packed, stored.mv_data, stored.mv_size);
  uint8_t *end = packed + stored.mv_size;
  for (uint8_t *entry = packed; entry < end; entry += 1 + *entry + VALUE_SIZE) {
    if (end - entry < 1 + *entry + VALUE_SIZE) return MDB_CORRUPTED;
    if (*entry != wanted.count || memcmp(entry + 1, wanted.bytes, *entry) != 0) continue;
    uint8_t *place = entry + 1 + *entry;
    if (isAdded) value += (int64_t)rawlmdb_load(place);
    memcpy(place, &value, sizeof value);
    return replace(writer, &number, packed, stored.mv_size);
  }
  return 0;
}

int rawlmdb_set_small_value(rawlmdb_writer *writer, long id, rawlmdb_bytes key, long value) {
  return change(writer, id, key, value, false);
}

int rawlmdb_increment_small_value(rawlmdb_writer *writer, long id, rawlmdb_bytes key) {
  return change(writer, id, key, 1, true);
}

int rawlmdb_small_map(rawlmdb_reader *reader, long id, rawlmdb_bytes *packed) {
  return content(reader, TABLE_SMALL_MAPS, id, packed);
}
