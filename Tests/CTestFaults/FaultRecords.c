#define _GNU_SOURCE
#include "Interposition.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// All state is guarded by the lock of an operation in progress, except `files`: a descriptor is
// used by the threads that were given it.
enum { file_count = 1024, mapping_count = 64, largest_mapping = 1 << 16 };
static struct fault_file files[file_count];

struct mapping {
  uint8_t *address;
  size_t length;
  struct fault_file file;
};
static struct mapping mappings[mapping_count];

struct fault_file *fault_file_of(int descriptor) {
  if (!fault_is_active() || descriptor < 0 || descriptor >= file_count) return NULL;
  return files[descriptor].is_watched ? &files[descriptor] : NULL;
}

void fault_note_open(int descriptor, const char *path, int flags) {
  if (descriptor >= file_count || strlen(path) >= sizeof files[0].path) abort();
  struct stat status;
  if (fstat(descriptor, &status) != 0) return;
  struct fault_file *file = &files[descriptor];
  file->inode = status.st_ino;
  file->flags = (uint16_t)(flags | (S_ISDIR(status.st_mode) ? fault_is_directory : 0));
  strcpy(file->path, path);
  file->is_watched = 1;
}

void fault_note_close(int descriptor) {
  if (descriptor >= 0 && descriptor < file_count) files[descriptor].is_watched = 0;
}

void fault_note_map(int descriptor, void *address, size_t length) {
  if (length > largest_mapping) return;
  for (int index = 0; index < mapping_count; index++) {
    if (mappings[index].address != NULL) continue;
    mappings[index].length = length;
    mappings[index].file = files[descriptor];
    mappings[index].address = address;
    return;
  }
}

void fault_note_unmap(void *address) {
  for (int index = 0; index < mapping_count; index++)
    if (mappings[index].address == address) mappings[index].address = NULL;
}

/// The descriptor of the log; -1 without one.
static int log_descriptor(void) {
  static int descriptor = -2;
  if (descriptor != -2) return descriptor;
  const char *path = getenv("VARVE_FAULT_LOG");
  descriptor = -1;
  if (path == NULL || *path == 0) return descriptor;
  long opened = fault_system_call(
      SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600, 0, 0);
  if (opened < 0) abort();
  descriptor = (int)opened;
  return descriptor;
}

static void append(const void *bytes, size_t length) {
  const char *rest = bytes;
  while (length > 0) {
    long written = fault_system_call(
        SYS_write, log_descriptor(), (long)rest, (long)length, 0, 0, 0);
    if (written == -EINTR) continue;
    // Without its log the run proves nothing.
    if (written <= 0) abort();
    rest += written;
    length -= (size_t)written;
  }
}

void fault_log(
    struct fault_operation operation, const char *path, size_t path_length,
    const struct iovec *parts, int count
) {
  if (log_descriptor() < 0) return;
  size_t rest = operation.kind == fault_write && operation.result < 0 ? 0 : SIZE_MAX;
  if (operation.kind == fault_write && operation.result >= 0) rest = (size_t)operation.result;
  size_t byte_count = 0;
  for (int index = 0; index < count; index++) byte_count += parts[index].iov_len;
  if (byte_count > rest) byte_count = rest;
  struct fault_record record = {
      .magic = fault_record_magic,
      .kind = (uint16_t)operation.kind,
      .flags = (uint16_t)operation.flags,
      .error = operation.result < 0 ? (int32_t)-operation.result : 0,
      .path_length = (uint32_t)path_length,
      .offset = operation.offset,
      .result = operation.result,
      .file = operation.file,
      .byte_count = byte_count,
  };
  // One write for each record: other processes append to the same log.
  size_t length = sizeof record + path_length + byte_count;
  char *buffer = malloc(length);
  if (buffer == NULL) abort();
  char *end = buffer;
  memcpy(end, &record, sizeof record);
  end += sizeof record;
  memcpy(end, path, path_length);
  end += path_length;
  for (int index = 0; index < count && byte_count > 0; index++) {
    size_t part = parts[index].iov_len < byte_count ? parts[index].iov_len : byte_count;
    memcpy(end, parts[index].iov_base, part);
    end += part;
    byte_count -= part;
  }
  append(buffer, length);
  free(buffer);
}

void fault_log_contents(void) {
  if (log_descriptor() < 0) return;
  for (int index = 0; index < mapping_count; index++) {
    struct mapping *mapping = &mappings[index];
    if (mapping->address == NULL) continue;
    struct iovec part = {.iov_base = mapping->address, .iov_len = mapping->length};
    fault_log(
        (struct fault_operation){.kind = fault_content, .file = mapping->file.inode},
        mapping->file.path, strlen(mapping->file.path), &part, 1);
  }
}
