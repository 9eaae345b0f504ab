#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "Person.h"

/// Creates a person, and puts it at the end or at the position of its id.
static int put_person(MDB_cursor *cursor, long id) {
  uint64_t number = (uint64_t)id;
  person row;
  person_make(&row, id);
  MDB_val key = rawlmdb_value(&number, sizeof number);
  MDB_val value = rawlmdb_value(&row, sizeof row);
  return rawlmdb_put_ascending(cursor, &key, &value);
}

/// Inserts persons in one transaction.
static int insert(rawlmdb_store *store, long first, long end) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  MDB_cursor *cursor = NULL;
  status = mdb_cursor_open(transaction, store->tables[TABLE_PERSONS], &cursor);
  for (long id = first; !status && id < end; id++) status = put_person(cursor, id);
  if (cursor) mdb_cursor_close(cursor);
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

int rawlmdb_insert_persons(rawlmdb_store *store, long first, long end, long perTransaction) {
  int status = 0;
  while (!status && first < end) {
    long next = perTransaction < end - first ? first + perTransaction : end;
    status = insert(store, first, next);
    first = next;
  }
  return status;
}

struct insertion {
  pthread_t thread;
  rawlmdb_store *store;
  long first, end, step;
  int status;
};

static void *insert_some(void *argument) {
  struct insertion *insertion = argument;
  for (long id = insertion->first; !insertion->status && id < insertion->end;
       id += insertion->step) {
    insertion->status = insert(insertion->store, id, id + 1);
  }
  return NULL;
}

int rawlmdb_insert_persons_concurrently(rawlmdb_store *store, long count, long writers) {
  struct insertion *insertions = calloc((size_t)writers, sizeof *insertions);
  if (!insertions) return ENOMEM;
  int status = 0;
  long started = 0;
  while (!status && started < writers) {
    struct insertion *insertion = &insertions[started];
    *insertion =
      (struct insertion){.store = store, .first = started, .end = count, .step = writers};
    status = pthread_create(&insertion->thread, NULL, insert_some, insertion);
    if (!status) started += 1;
  }
  for (long index = 0; index < started; index++) {
    pthread_join(insertions[index].thread, NULL);
    if (!status) status = insertions[index].status;
  }
  free(insertions);
  return status;
}

/// Replaces the row at a cursor.
static int change_age(MDB_cursor *cursor, long id, long age) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value;
  int status = mdb_cursor_get(cursor, &key, &value, MDB_SET);
  if (status) return status == MDB_NOTFOUND ? 0 : status;
  person row = *person_at(value);
  row.age = age;
  value = rawlmdb_value(&row, sizeof row);
  return mdb_cursor_put(cursor, &key, &value, MDB_CURRENT);
}

int rawlmdb_set_age(rawlmdb_store *store, long id, long age) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  MDB_cursor *cursor = NULL;
  status = mdb_cursor_open(transaction, store->tables[TABLE_PERSONS], &cursor);
  if (!status) status = change_age(cursor, id, age);
  if (cursor) mdb_cursor_close(cursor);
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

int rawlmdb_look_up(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum) {
  rawlmdb_checksum sum = *checksum;
  for (long index = 0; index < count; index++) {
    uint64_t number = (uint64_t)ids[index];
    MDB_val key = rawlmdb_value(&number, sizeof number), value;
    int status = rawlmdb_get(reader, TABLE_PERSONS, &key, &value);
    if (status == MDB_NOTFOUND) continue;
    if (status) return status;
    person_add(&sum, person_at(value));
  }
  *checksum = sum;
  return 0;
}

int rawlmdb_person(
  rawlmdb_reader *reader, long id, char *name, long *age, double *score, double *created) {
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value;
  int status = rawlmdb_get(reader, TABLE_PERSONS, &key, &value);
  if (status) return status;
  const person *row = person_at(value);
  memcpy(name, row->name, NAME_SIZE);
  *age = row->age;
  *score = row->score;
  *created = row->created;
  return 0;
}

int rawlmdb_freeze_and_read_age(rawlmdb_reader *reader, long id, long *age) {
  int status = mdb_txn_renew(reader->transaction);
  if (status) return status;
  uint64_t number = (uint64_t)id;
  MDB_val key = rawlmdb_value(&number, sizeof number), value;
  status = rawlmdb_get(reader, TABLE_PERSONS, &key, &value);
  *age = status ? -1 : person_at(value)->age;
  mdb_txn_reset(reader->transaction);
  return status == MDB_NOTFOUND ? 0 : status;
}

int rawlmdb_insert_named_persons(rawlmdb_store *store, long count) {
  MDB_txn *transaction;
  int status = mdb_txn_begin(store->environment, NULL, 0, &transaction);
  if (status) return status;
  for (long id = 0; !status && id < count; id++) {
    person row;
    person_make(&row, id);
    MDB_val key = rawlmdb_value(row.name, NAME_SIZE);
    MDB_val value = rawlmdb_value(&row, sizeof row);
    status = mdb_put(transaction, store->tables[TABLE_NAMED], &key, &value, 0);
  }
  if (!status) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return status;
}

int rawlmdb_look_up_name(rawlmdb_reader *reader, rawlmdb_bytes name, rawlmdb_checksum *checksum) {
  MDB_val key = rawlmdb_value(name.bytes, (size_t)name.count), value;
  int status = rawlmdb_get(reader, TABLE_NAMED, &key, &value);
  if (!status) person_add(checksum, person_at(value));
  return status == MDB_NOTFOUND ? 0 : status;
}
