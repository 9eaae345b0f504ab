#include "LibraryVersions.h"

#include <lmdb.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>

static char lmdb_text[32];
static pthread_once_t once = PTHREAD_ONCE_INIT;

// LMDB's own version string also contains a date.
static void make_lmdb_text(void) {
  int major, minor, patch;
  mdb_version(&major, &minor, &patch);
  snprintf(lmdb_text, sizeof lmdb_text, "%d.%d.%d", major, minor, patch);
}

const char *version_of_lmdb(void) {
  pthread_once(&once, make_lmdb_text);
  return lmdb_text;
}

const char *version_of_sqlite(void) { return sqlite3_libversion(); }
