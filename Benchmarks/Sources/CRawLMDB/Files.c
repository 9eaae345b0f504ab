#include <errno.h>
#include <stdlib.h>

#include "Store.h"

static MDB_val content_value(rawlmdb_bytes content) {
  return rawlmdb_value(content.bytes, (size_t)content.count);
}

static MDB_dbi table_of(rawlmdb_writer *writer, int table) {
  return writer->store->tables[table];
}

int rawlmdb_put_blob(rawlmdb_writer *writer, long id, rawlmdb_bytes content) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value = content_value(content);
  return rawlmdb_writer_put_ascending(writer, TABLE_BLOBS, &key, &value);
}

/// Adds the length of a blob, and its first and its last byte.
static void blob_add(rawlmdb_checksum *sum, const uint8_t *bytes, size_t size) {
  sum->count += 1;
  if (size == 0) return;
  sum->bytes += (long)size;
  sum->integers += bytes[0] + bytes[size - 1];
}

/// Copies each blob into newly allocated memory, or into the reader's buffer.
static int read_blobs(
  rawlmdb_reader *reader, const long *ids, long count, bool isBuffered,
  rawlmdb_checksum *checksum) {
  rawlmdb_checksum sum = *checksum;
  for (long index = 0; index < count; index++) {
    uint64_t number = (uint64_t)ids[index];
    MDB_val key = rawlmdb_value(&number, sizeof number), value;
    int status = rawlmdb_get(reader, TABLE_BLOBS, &key, &value);
    if (status == MDB_NOTFOUND) continue;
    if (!status && isBuffered) {
      status = rawlmdb_reserve(&reader->buffer, &reader->capacity, value.mv_size);
    }
    if (status) return status;
    uint8_t *bytes = isBuffered ? reader->buffer : malloc(value.mv_size ? value.mv_size : 1);
    if (!isBuffered && !bytes) return ENOMEM;
    if (value.mv_size) memcpy(bytes, value.mv_data, value.mv_size);
    // Prevents the compiler from removing the copy.
    __asm__ volatile("" : : "r"(bytes) : "memory");
    blob_add(&sum, bytes, value.mv_size);
    if (!isBuffered) free(bytes);
  }
  *checksum = sum;
  return 0;
}

int rawlmdb_read_blobs(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum) {
  return read_blobs(reader, ids, count, false, checksum);
}

int rawlmdb_read_blobs_into_buffer(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum) {
  return read_blobs(reader, ids, count, true, checksum);
}

/// Adds the length of a blob, and all of its bytes: the sum of its words of eight bytes, and of the
/// bytes of the rest.
static void blob_add_all(rawlmdb_checksum *sum, const uint8_t *bytes, size_t size) {
  uint64_t words = 0;
  size_t offset = 0;
  for (; offset + 8 <= size; offset += 8) {
    uint64_t word;
    memcpy(&word, bytes + offset, 8);
    words += word;
  }
  for (; offset < size; offset++) words += bytes[offset];
  sum->count += 1;
  sum->bytes += (long)size;
  sum->integers = (long)((uint64_t)sum->integers + words);
}

int rawlmdb_sum_blobs(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum) {
  rawlmdb_checksum sum = *checksum;
  for (long index = 0; index < count; index++) {
    uint64_t number = (uint64_t)ids[index];
    MDB_val key = rawlmdb_value(&number, sizeof number), value;
    int status = rawlmdb_get(reader, TABLE_BLOBS, &key, &value);
    if (status == MDB_NOTFOUND) continue;
    if (status) return status;
    blob_add_all(&sum, value.mv_data, value.mv_size);
  }
  *checksum = sum;
  return 0;
}

int rawlmdb_put_message(rawlmdb_writer *writer, long id, rawlmdb_bytes content) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value = content_value(content);
  return rawlmdb_writer_put_ascending(writer, TABLE_MESSAGES, &key, &value);
}

/// The existing bytes are copied first, because a put may move them.
static int append_to(
  rawlmdb_writer *writer, MDB_dbi table, long id, rawlmdb_bytes content) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), old;
  int status = mdb_get(writer->transaction, table, &key, &old);
  if (status) return status == MDB_NOTFOUND ? 0 : status;
  size_t capacity = 0;
  void *bytes = NULL;
  status = rawlmdb_reserve(&bytes, &capacity, old.mv_size + (size_t)content.count + 1);
  if (status) return status;
  memcpy(bytes, old.mv_data, old.mv_size);
  memcpy((char *)bytes + old.mv_size, content.bytes, (size_t)content.count);
  MDB_val value = rawlmdb_value(bytes, old.mv_size + (size_t)content.count);
  status = mdb_put(writer->transaction, table, &key, &value, 0);
  free(bytes);
  return status;
}

int rawlmdb_append_to_message(rawlmdb_writer *writer, long id, rawlmdb_bytes content) {
  return append_to(writer, table_of(writer, TABLE_MESSAGES), id, content);
}

int rawlmdb_append_to_blob(rawlmdb_writer *writer, long id, rawlmdb_bytes content) {
  return append_to(writer, table_of(writer, TABLE_BLOBS), id, content);
}

int rawlmdb_delete_message(rawlmdb_writer *writer, long id) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number);
  int status = mdb_del(writer->transaction, table_of(writer, TABLE_MESSAGES), &key, NULL);
  return status == MDB_NOTFOUND ? 0 : status;
}

static int get_content(rawlmdb_reader *reader, int table, MDB_val key, rawlmdb_bytes *content) {
  MDB_val value;
  int status = rawlmdb_get(reader, table, &key, &value);
  if (!status) *content = (rawlmdb_bytes){value.mv_data, (long)value.mv_size};
  return status;
}

int rawlmdb_message_content(rawlmdb_reader *reader, long id, rawlmdb_bytes *content) {
  uint64_t number = (uint64_t)id;
  return get_content(reader, TABLE_MESSAGES, rawlmdb_value(&number, sizeof number), content);
}

int rawlmdb_blob_content(rawlmdb_reader *reader, long id, rawlmdb_bytes *content) {
  uint64_t number = (uint64_t)id;
  return get_content(reader, TABLE_BLOBS, rawlmdb_value(&number, sizeof number), content);
}

int rawlmdb_put_page(rawlmdb_writer *writer, rawlmdb_bytes path, rawlmdb_bytes content) {
  MDB_val key = content_value(path), value = content_value(content);
  return mdb_put(writer->transaction, table_of(writer, TABLE_PAGES), &key, &value, 0);
}

int rawlmdb_page_content(rawlmdb_reader *reader, rawlmdb_bytes path, rawlmdb_bytes *content) {
  return get_content(reader, TABLE_PAGES, content_value(path), content);
}

int rawlmdb_append_to_log(rawlmdb_writer *writer, rawlmdb_bytes line) {
  MDB_cursor *cursor;
  int status = mdb_cursor_open(writer->transaction, table_of(writer, TABLE_LOG), &cursor);
  if (status) return status;
  MDB_val key, value;
  uint64_t number = 0;
  status = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
  if (!status) number = rawlmdb_load(key.mv_data) + 1;
  if (!status || status == MDB_NOTFOUND) {
    key = rawlmdb_value(&number, sizeof number);
    value = content_value(line);
    status = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
  }
  mdb_cursor_close(cursor);
  return status;
}

int rawlmdb_count_log_lines(rawlmdb_reader *reader, long *count) {
  MDB_stat statistics;
  int status = mdb_stat(reader->transaction, reader->store->tables[TABLE_LOG], &statistics);
  if (!status) *count = (long)statistics.ms_entries;
  return status;
}
