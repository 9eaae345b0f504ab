#include <stdio.h>
#include <stdlib.h>

#include "Store.h"

/// The header of a document. The lengths of title, body and tags follow it, then their bytes.
typedef struct {
  int64_t revision, views, likes;
  uint32_t tags;
} header;

/// The stored size of the header, without the struct's padding.
enum { HEADER_SIZE = 28, TITLE = 0, BODY = 1, FIRST_TAG = 2 };

/// A document whose texts are borrowed.
typedef struct {
  header head;
  rawlmdb_bytes *texts;
  size_t capacity;
} document;

/// Unpacks a value. The texts point into it.
static int unpack(document *read, MDB_val value) {
  const uint8_t *bytes = value.mv_data;
  if (value.mv_size < HEADER_SIZE) return MDB_CORRUPTED;
  memcpy(&read->head, bytes, HEADER_SIZE);
  size_t count = read->head.tags + (size_t)FIRST_TAG;
  if (value.mv_size < HEADER_SIZE + count * 4) return MDB_CORRUPTED;
  int status =
    rawlmdb_reserve((void **)&read->texts, &read->capacity, count * sizeof *read->texts);
  if (status) return status;
  const uint8_t *lengths = bytes + HEADER_SIZE, *text = lengths + count * 4;
  for (size_t index = 0; index < count; index++) {
    uint32_t length;
    memcpy(&length, lengths + index * 4, sizeof length);
    if (length > (size_t)(bytes + value.mv_size - text)) return MDB_CORRUPTED;
    read->texts[index] = (rawlmdb_bytes){text, length};
    text += length;
  }
  return 0;
}

/// Packs a document into a buffer, which grows as needed.
static int pack(
  const header *head, const rawlmdb_bytes *texts, void **buffer, size_t *capacity,
  MDB_val *value) {
  size_t count = head->tags + (size_t)FIRST_TAG, size = HEADER_SIZE + count * 4;
  for (size_t index = 0; index < count; index++) size += (size_t)texts[index].count;
  int status = rawlmdb_reserve(buffer, capacity, size);
  if (status) return status;
  uint8_t *bytes = *buffer;
  memcpy(bytes, head, HEADER_SIZE);
  uint8_t *lengths = bytes + HEADER_SIZE, *text = lengths + count * 4;
  for (size_t index = 0; index < count; index++) {
    uint32_t length = (uint32_t)texts[index].count;
    memcpy(lengths + index * 4, &length, sizeof length);
    if (length) memcpy(text, texts[index].bytes, length);
    text += length;
  }
  *value = rawlmdb_value(bytes, size);
  return 0;
}

int rawlmdb_put_document(
  rawlmdb_writer *writer, long id, long revision, long views, long likes,
  const rawlmdb_bytes *texts, long count) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value;
  header head = {revision, views, likes, (uint32_t)(count - FIRST_TAG)};
  size_t capacity = 0;
  void *buffer = NULL;
  int status = pack(&head, texts, &buffer, &capacity, &value);
  if (!status) status = rawlmdb_writer_put_ascending(writer, TABLE_DOCUMENTS, &key, &value);
  free(buffer);
  return status;
}

struct revision {
  MDB_cursor *cursor;
  document read;
  void *buffer;
  size_t capacity;
  // The tag that is appended; null if the documents are revised instead.
  const rawlmdb_bytes *added;
  char tag[24];
};

/// Applies the same changes as Document.revise of BenchmarkKit.
static int revise(struct revision *revision) {
  document *read = &revision->read;
  read->head.views += 1;
  read->head.revision += 1;
  if (read->head.tags > 0) {
    int count = snprintf(
      revision->tag, sizeof revision->tag, "r%lld", (long long)read->head.revision);
    read->texts[FIRST_TAG + read->head.tags - 1] = (rawlmdb_bytes){revision->tag, count};
  }
  return 0;
}

/// Applies the same change as Document.grow of BenchmarkKit.
static int grow(struct revision *revision) {
  document *read = &revision->read;
  size_t count = read->head.tags + (size_t)FIRST_TAG;
  int status =
    rawlmdb_reserve((void **)&read->texts, &read->capacity, (count + 1) * sizeof *read->texts);
  if (status) return status;
  read->texts[count] = *revision->added;
  read->head.tags += 1;
  return 0;
}

/// The texts are in the map until the put, which receives a packed copy.
static int change(struct revision *revision, long id) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value;
  int status = mdb_cursor_get(revision->cursor, &key, &value, MDB_SET);
  if (status) return status == MDB_NOTFOUND ? 0 : status;
  document *read = &revision->read;
  status = unpack(read, value);
  if (!status) status = revision->added ? grow(revision) : revise(revision);
  if (status) return status;
  status = pack(&read->head, read->texts, &revision->buffer, &revision->capacity, &value);
  if (status) return status;
  return mdb_cursor_put(revision->cursor, &key, &value, MDB_CURRENT);
}

static int change_in_transaction(
  rawlmdb_store *store, struct revision *revision, const long *ids, long count) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  revision->cursor = NULL;
  status = mdb_cursor_open(transaction, store->tables[TABLE_DOCUMENTS], &revision->cursor);
  for (long index = 0; !status && index < count; index++) status = change(revision, ids[index]);
  if (revision->cursor) mdb_cursor_close(revision->cursor);
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

static int change_documents(
  rawlmdb_store *store, const long *ids, long count, long perTransaction,
  const rawlmdb_bytes *added) {
  struct revision revision = {.added = added};
  int status = 0;
  for (long first = 0; !status && first < count;) {
    long some = perTransaction < count - first ? perTransaction : count - first;
    status = change_in_transaction(store, &revision, ids + first, some);
    first += some;
  }
  free(revision.read.texts);
  free(revision.buffer);
  return status;
}

int rawlmdb_revise_documents(
  rawlmdb_store *store, const long *ids, long count, long perTransaction) {
  return change_documents(store, ids, count, perTransaction, NULL);
}

int rawlmdb_grow_documents(
  rawlmdb_store *store, const long *ids, long count, long perTransaction, rawlmdb_bytes tag) {
  return change_documents(store, ids, count, perTransaction, &tag);
}

/// Computes the same number as Document.digest of BenchmarkKit.
static uint64_t digest(const document *read) {
  uint64_t tagged = 0;
  for (uint32_t index = 0; index < read->head.tags; index++) {
    rawlmdb_bytes tag = read->texts[FIRST_TAG + index];
    uint64_t first = tag.count > 0 ? *(const uint8_t *)tag.bytes : 0;
    tagged = tagged * 31 + first + (uint64_t)tag.count;
  }
  uint64_t lengths =
    (uint64_t)read->texts[TITLE].count + (uint64_t)read->texts[BODY].count * 3;
  return lengths + tagged * 7 + (uint64_t)read->head.views * 11
    + (uint64_t)read->head.likes * 13 + (uint64_t)read->head.revision * 1009;
}

int rawlmdb_read_documents(rawlmdb_reader *reader, rawlmdb_checksum *checksum) {
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_DOCUMENTS, &cursor);
  if (status) return status;
  document read = {0};
  MDB_val key, value;
  for (status = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !status;
       status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    status = unpack(&read, value);
    if (status) break;
    checksum->count += 1;
    checksum->integers = (long)((uint64_t)checksum->integers + digest(&read));
  }
  mdb_cursor_close(cursor);
  free(read.texts);
  return status == MDB_NOTFOUND ? 0 : status;
}

/// Adds the revision of a document whose title begins with the prefix. Reads only the header and
/// the title.
static int add_revision(MDB_val value, rawlmdb_bytes prefix, long *sum) {
  const uint8_t *bytes = value.mv_data;
  header head;
  uint32_t length;
  if (value.mv_size < HEADER_SIZE + FIRST_TAG * 4) return MDB_CORRUPTED;
  memcpy(&head, bytes, HEADER_SIZE);
  memcpy(&length, bytes + HEADER_SIZE + TITLE * 4, sizeof length);
  size_t title = HEADER_SIZE + (head.tags + (size_t)FIRST_TAG) * 4;
  if (value.mv_size < title + length) return MDB_CORRUPTED;
  size_t size = (size_t)prefix.count;
  if (size == 0 || (size <= length && memcmp(bytes + title, prefix.bytes, size) == 0)) {
    *sum += head.revision;
  }
  return 0;
}

int rawlmdb_sum_revisions(rawlmdb_reader *reader, rawlmdb_bytes prefix, long *sum) {
  MDB_cursor *cursor;
  int status = rawlmdb_cursor_open(reader, TABLE_DOCUMENTS, &cursor);
  if (status) return status;
  MDB_val key, value;
  *sum = 0;
  for (status = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !status;
       status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    status = add_revision(value, prefix, sum);
    if (status) break;
  }
  mdb_cursor_close(cursor);
  return status == MDB_NOTFOUND ? 0 : status;
}
