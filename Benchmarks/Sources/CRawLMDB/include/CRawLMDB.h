// The C API of LMDB with rows that are packed by hand: whole loops, so that a caller costs nothing.
//
// Functions that return an int give 0 or a status of LMDB, whose text rawlmdb_message tells. Numbers of things are
// long, which Swift has as Int.

#ifndef CRAWLMDB_H
#define CRAWLMDB_H

#include <stdbool.h>
#include <stdint.h>

/// An environment and its tables. Threads may share it.
typedef struct rawlmdb_store rawlmdb_store;

/// A read transaction, and memory for what is copied out. For one thread at a time.
typedef struct rawlmdb_reader rawlmdb_reader;

/// A write transaction; begins and ends on one thread.
typedef struct rawlmdb_writer rawlmdb_writer;

/// What was read, added up as Checksum of BenchmarkKit does.
typedef struct {
  long count;
  long integers;
  long bytes;
  double scores;
} rawlmdb_checksum;

/// Bytes that a caller lends.
typedef struct {
  const void *_Nullable bytes;
  long count;
} rawlmdb_bytes;

#pragma clang assume_nonnull begin

const char *rawlmdb_message(int status);

/// Whether a status says that there is no such key.
bool rawlmdb_is_missing(int status);

// Store.c

/// Opens the file, a new one if there is none, and its tables. Commits wait for the disk if isDurable.
int rawlmdb_open(
  const char *path, bool isDurable, rawlmdb_store *_Nullable *_Nonnull store);

/// No reader and no writer may be left.
void rawlmdb_close(rawlmdb_store *store);

/// Begins a read transaction.
int rawlmdb_reader_open(rawlmdb_store *store, rawlmdb_reader *_Nullable *_Nonnull reader);

void rawlmdb_reader_close(rawlmdb_reader *reader);

/// Ends the transaction, and keeps its slot for rawlmdb_reader_renew.
void rawlmdb_reader_rest(rawlmdb_reader *reader);

/// Begins anew what rests.
int rawlmdb_reader_renew(rawlmdb_reader *reader);

int rawlmdb_writer_begin(rawlmdb_store *store, rawlmdb_writer *_Nullable *_Nonnull writer);

/// Commits if the status so far is 0, else aborts; gives the first status that is not 0.
int rawlmdb_writer_end(rawlmdb_writer *writer, int status);

// Persons.c

int rawlmdb_insert_persons(rawlmdb_store *store, long first, long end, long perTransaction);
int rawlmdb_insert_persons_concurrently(rawlmdb_store *store, long count, long writers);
int rawlmdb_set_age(rawlmdb_store *store, long id, long age);
int rawlmdb_look_up(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);

/// All of a person. The name takes 16 bytes, and ends at the first zero or at its end.
int rawlmdb_person(
  rawlmdb_reader *reader, long id, char *name, long *age, double *score, double *created);

/// Begins the transaction of a reader that rests, reads one age and ends it; -1 for a person that is not there.
int rawlmdb_freeze_and_read_age(rawlmdb_reader *reader, long id, long *age);

int rawlmdb_insert_named_persons(rawlmdb_store *store, long count);

/// Adds one person, if there is one of that name.
int rawlmdb_look_up_name(rawlmdb_reader *reader, rawlmdb_bytes name, rawlmdb_checksum *checksum);

// Scans.c: questions that go through all persons.

int rawlmdb_read_ages(rawlmdb_reader *reader, bool isIndexed, rawlmdb_checksum *checksum);
int rawlmdb_scan_older(rawlmdb_reader *reader, long age, long *found);
int rawlmdb_scan_age(rawlmdb_reader *reader, long age, long *found);
int rawlmdb_scan_prefixes(
  rawlmdb_reader *reader, const rawlmdb_bytes *prefixes, long count, long *found);

/// Names of 16 bytes one after another; they are sorted in place.
int rawlmdb_scan_names(rawlmdb_reader *reader, uint8_t *names, long count, long *found);

/// Space for count ids; count becomes how many there are.
int rawlmdb_scan_lowest_scores(rawlmdb_reader *reader, long *ids, long *count);

// Indexes.c: the same questions, asked of tables of values.

int rawlmdb_insert_indexed_persons(rawlmdb_store *store, long count);
int rawlmdb_count_older(rawlmdb_reader *reader, long age, long *found);
int rawlmdb_count_age(rawlmdb_reader *reader, long age, long *found);

/// None of the prefixes begins with another one.
int rawlmdb_count_prefixes(
  rawlmdb_reader *reader, const rawlmdb_bytes *prefixes, long count, long *found);
int rawlmdb_count_names(rawlmdb_reader *reader, uint8_t *names, long count, long *found);
int rawlmdb_lowest_scores(rawlmdb_reader *reader, long *ids, long *count);

// Collections.c

int rawlmdb_append_to_list(rawlmdb_store *store, long count);
int rawlmdb_read_list(
  rawlmdb_reader *reader, const long *indexes, long count, rawlmdb_checksum *checksum);
int rawlmdb_put_into_map(rawlmdb_writer *writer, rawlmdb_bytes key, long value);

/// Adds the value of one key, if it is there.
int rawlmdb_read_map(rawlmdb_reader *reader, rawlmdb_bytes key, rawlmdb_checksum *checksum);
int rawlmdb_read_whole_map(rawlmdb_reader *reader, rawlmdb_checksum *checksum);

// Files.c. Bytes that are given lie in the map until the reader's transaction ends.

int rawlmdb_put_blob(rawlmdb_writer *writer, long id, rawlmdb_bytes content);

/// Copies each blob into memory of its own, and frees it.
int rawlmdb_read_blobs(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);

/// Copies each blob into the one buffer that the reader has.
int rawlmdb_read_blobs_into_buffer(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);
int rawlmdb_blob_content(rawlmdb_reader *reader, long id, rawlmdb_bytes *content);
int rawlmdb_put_message(rawlmdb_writer *writer, long id, rawlmdb_bytes content);
int rawlmdb_append_to_message(rawlmdb_writer *writer, long id, rawlmdb_bytes content);
int rawlmdb_delete_message(rawlmdb_writer *writer, long id);
int rawlmdb_message_content(rawlmdb_reader *reader, long id, rawlmdb_bytes *content);
int rawlmdb_put_page(rawlmdb_writer *writer, rawlmdb_bytes path, rawlmdb_bytes content);
int rawlmdb_page_content(rawlmdb_reader *reader, rawlmdb_bytes path, rawlmdb_bytes *content);
int rawlmdb_append_to_log(rawlmdb_writer *writer, rawlmdb_bytes line);
int rawlmdb_count_log_lines(rawlmdb_reader *reader, long *count);

// Documents.c

/// Texts: the title, the body and the tags.
int rawlmdb_put_document(
  rawlmdb_writer *writer, long id, long revision, long views, long likes,
  const rawlmdb_bytes *texts, long count);
int rawlmdb_revise_documents(
  rawlmdb_store *store, const long *ids, long count, long perTransaction);
int rawlmdb_read_documents(rawlmdb_reader *reader, rawlmdb_checksum *checksum);

#pragma clang assume_nonnull end

#endif
