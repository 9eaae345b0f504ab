#pragma once

#include <stdint.h>

// A file that a test and the processes that it kills map: a row of words for each process. What a
// process has stored in its row outlives it.

/// The words of a row.
enum kill_word {
  kill_begun,         // transactions begun by a writer
  kill_acknowledged,  // transactions whose commit returned
  kill_number,        // the number of the last acknowledged transaction
  kill_seen,          // the number of the version that an observer was notified of last
  kill_deliveries,    // the notifications that an observer has checked
  kill_stop,          // set by the test: the process ends
  kill_word_count = 8,
};

enum { kill_row_count = 4096 };

/// Maps the file, and creates it if it does not exist.
///
/// - Returns: The table; NULL after an error.
void *kill_table_map(const char *path);
void kill_table_unmap(void *table);

static inline long kill_load(const void *table, long row, enum kill_word word) {
  return (long)__atomic_load_n(
      (const int64_t *)table + row * kill_word_count + word, __ATOMIC_SEQ_CST);
}

static inline void kill_store(void *table, long row, enum kill_word word, long value) {
  __atomic_store_n((int64_t *)table + row * kill_word_count + word, value, __ATOMIC_SEQ_CST);
}
