#define _GNU_SOURCE
#include "include/CTestKillTable.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t length = kill_row_count * kill_word_count * sizeof(int64_t);

void *kill_table_map(const char *path) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return NULL;
  void *table = MAP_FAILED;
  if (ftruncate(descriptor, (off_t)length) == 0)
    table = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return table == MAP_FAILED ? NULL : table;
}

void kill_table_unmap(void *table) { munmap(table, length); }
