// Workloads on the C API of LMDB with hand-packed rows. The loops are in C, so that the calls from
// Swift cost nothing.
//
// Functions that return an int return 0 or a status of LMDB; rawlmdb_message returns its message.
// Counts are long, which Swift imports as Int.

#ifndef CRAWLMDB_H
#define CRAWLMDB_H

#include <stdbool.h>
#include <stdint.h>

/// An environment and its tables. Any thread may use it.
typedef struct rawlmdb_store rawlmdb_store;

/// A read transaction, and memory for copied bytes. For one thread at a time.
typedef struct rawlmdb_reader rawlmdb_reader;

/// A write transaction; begins and ends on one thread.
typedef struct rawlmdb_writer rawlmdb_writer;

/// The checksum of everything that was read, computed as by Checksum of BenchmarkKit.
typedef struct {
  long count;
  long integers;
  long bytes;
  double scores;
} rawlmdb_checksum;

/// Bytes that are borrowed from the caller, or from the map.
typedef struct {
  const void *_Nullable bytes;
  long count;
} rawlmdb_bytes;

#pragma clang assume_nonnull begin

const char *rawlmdb_message(int status);

/// Whether a status means that the key does not exist.
bool rawlmdb_is_missing(int status);

// Store.c

/// Opens or creates the file and its tables. Commits wait for the disk if isDurable.
int rawlmdb_open(
  const char *path, bool isDurable, rawlmdb_store *_Nullable *_Nonnull store);

/// Requires that there are no readers and no writer.
void rawlmdb_close(rawlmdb_store *store);

/// Begins a read transaction.
int rawlmdb_reader_open(rawlmdb_store *store, rawlmdb_reader *_Nullable *_Nonnull reader);

void rawlmdb_reader_close(rawlmdb_reader *reader);

/// Resets the transaction, and keeps its reader slot for rawlmdb_reader_renew.
void rawlmdb_reader_rest(rawlmdb_reader *reader);

/// Renews a reset reader.
int rawlmdb_reader_renew(rawlmdb_reader *reader);

int rawlmdb_writer_begin(rawlmdb_store *store, rawlmdb_writer *_Nullable *_Nonnull writer);

/// Commits if the status is 0, and aborts otherwise. Returns the first status that is not 0.
int rawlmdb_writer_end(rawlmdb_writer *writer, int status);

// Persons.c

int rawlmdb_insert_persons(rawlmdb_store *store, long first, long end, long perTransaction);
int rawlmdb_insert_persons_concurrently(rawlmdb_store *store, long count, long writers);
int rawlmdb_set_age(rawlmdb_store *store, long id, long age);
int rawlmdb_look_up(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);

/// Reads all values of a person. The name has 16 bytes, padded with zeros.
int rawlmdb_person(
  rawlmdb_reader *reader, long id, char *name, long *age, double *score, double *created);

/// Renews a reset reader, reads one age and resets the reader. The age is -1 if there is no such
/// person.
int rawlmdb_freeze_and_read_age(rawlmdb_reader *reader, long id, long *age);

int rawlmdb_insert_named_persons(rawlmdb_store *store, long count);

/// Adds the person with a name to the checksum, if there is one.
int rawlmdb_look_up_name(rawlmdb_reader *reader, rawlmdb_bytes name, rawlmdb_checksum *checksum);

// Scans.c: queries that iterate all persons.

int rawlmdb_read_ages(rawlmdb_reader *reader, bool isIndexed, rawlmdb_checksum *checksum);
int rawlmdb_scan_older(rawlmdb_reader *reader, long age, long *found);
int rawlmdb_scan_age(rawlmdb_reader *reader, long age, long *found);
int rawlmdb_scan_prefixes(
  rawlmdb_reader *reader, const rawlmdb_bytes *prefixes, long count, long *found);

/// Takes adjacent names of 16 bytes, and sorts them in place.
int rawlmdb_scan_names(rawlmdb_reader *reader, uint8_t *names, long count, long *found);

/// Takes space for count ids, and sets count to the number of ids found.
int rawlmdb_scan_lowest_scores(rawlmdb_reader *reader, long *ids, long *count);

// Indexes.c: the same queries with indexes.

int rawlmdb_insert_indexed_persons(rawlmdb_store *store, long count);
int rawlmdb_count_older(rawlmdb_reader *reader, long age, long *found);
int rawlmdb_count_age(rawlmdb_reader *reader, long age, long *found);

/// Requires that no prefix begins with another one.
int rawlmdb_count_prefixes(
  rawlmdb_reader *reader, const rawlmdb_bytes *prefixes, long count, long *found);
int rawlmdb_count_names(rawlmdb_reader *reader, uint8_t *names, long count, long *found);
int rawlmdb_lowest_scores(rawlmdb_reader *reader, long *ids, long *count);

// Collections.c

int rawlmdb_append_to_list(rawlmdb_store *store, long count);
int rawlmdb_read_list(
  rawlmdb_reader *reader, const long *indexes, long count, rawlmdb_checksum *checksum);
int rawlmdb_put_into_map(rawlmdb_writer *writer, rawlmdb_bytes key, long value);

/// Adds the value of a key to the checksum, if there is one.
int rawlmdb_read_map(rawlmdb_reader *reader, rawlmdb_bytes key, rawlmdb_checksum *checksum);
int rawlmdb_read_whole_map(rawlmdb_reader *reader, rawlmdb_checksum *checksum);

// SmallCollections.c

/// `packed` contains the length of each element as a byte, and the element.
int rawlmdb_put_small_list(rawlmdb_writer *writer, long id, rawlmdb_bytes packed);

/// Replaces an element of at most 255 bytes.
int rawlmdb_set_small_element(
  rawlmdb_writer *writer, long id, long index, rawlmdb_bytes element);

/// The packed list, which is in the map and valid until the reader's transaction ends.
int rawlmdb_small_list(rawlmdb_reader *reader, long id, rawlmdb_bytes *packed);

/// `packed` contains the length of each key as a byte, the key, and its value of eight bytes.
int rawlmdb_put_small_map(rawlmdb_writer *writer, long id, rawlmdb_bytes packed);

/// Replaces the value of an existing key.
int rawlmdb_set_small_value(rawlmdb_writer *writer, long id, rawlmdb_bytes key, long value);

/// Adds one to the value of an existing key.
int rawlmdb_increment_small_value(rawlmdb_writer *writer, long id, rawlmdb_bytes key);

/// The packed dictionary, which is in the map and valid until the reader's transaction ends.
int rawlmdb_small_map(rawlmdb_reader *reader, long id, rawlmdb_bytes *packed);

// Files.c. Returned bytes are in the map, and valid until the reader's transaction ends.

int rawlmdb_put_blob(rawlmdb_writer *writer, long id, rawlmdb_bytes content);

/// Copies each blob into newly allocated memory, and frees the memory.
int rawlmdb_read_blobs(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);

/// Copies each blob into the reader's buffer.
int rawlmdb_read_blobs_into_buffer(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);

/// Reads all bytes of each blob in the map.
int rawlmdb_sum_blobs(
  rawlmdb_reader *reader, const long *ids, long count, rawlmdb_checksum *checksum);
int rawlmdb_append_to_blob(rawlmdb_writer *writer, long id, rawlmdb_bytes content);
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

/// `texts` contains the title, the body and the tags.
int rawlmdb_put_document(
  rawlmdb_writer *writer, long id, long revision, long views, long likes,
  const rawlmdb_bytes *texts, long count);
int rawlmdb_revise_documents(
  rawlmdb_store *store, const long *ids, long count, long perTransaction);

/// Appends a tag to each document.
int rawlmdb_grow_documents(
  rawlmdb_store *store, const long *ids, long count, long perTransaction, rawlmdb_bytes tag);

/// The sum of the revisions of the documents whose title begins with the prefix.
int rawlmdb_sum_revisions(rawlmdb_reader *reader, rawlmdb_bytes prefix, long *sum);
int rawlmdb_read_documents(rawlmdb_reader *reader, rawlmdb_checksum *checksum);

#pragma clang assume_nonnull end

#endif
