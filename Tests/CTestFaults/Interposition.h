#pragma once

#include "include/CTestInterposition.h"

// The sanitizers define the same functions.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FAULT_IS_SUPPORTED 0
#endif
#endif
#ifndef FAULT_IS_SUPPORTED
#define FAULT_IS_SUPPORTED 1
#endif

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

/// A system call. Returns its result, or the negative errno.
long fault_system_call(long number, long a, long b, long c, long d, long e, long f);

/// A result of the kernel as the C library returns it.
long fault_finish(long result);

/// A file below the directory that is open in this process.
struct fault_file {
  uint64_t inode;
  /// 0 for a descriptor of another file; flags of a record otherwise.
  uint16_t flags;
  uint16_t is_watched;
  char path[256];
};

/// An operation in progress, which excludes all others.
struct fault_verdict {
  int kind;
  int action;
  int error;
  /// Whether the failure is hidden from the caller.
  int is_hidden;
};

/// Whether any file is watched.
int fault_is_active(void);

/// Whether a path is the directory, or below it.
int fault_is_below(const char *path);

/// The file of a descriptor; NULL if it is not watched.
struct fault_file *fault_file_of(int descriptor);

/// Watches a descriptor that was opened.
void fault_note_open(int descriptor, const char *path, int flags);
void fault_note_close(int descriptor);

/// Remembers a shared, writable mapping, whose contents are recorded.
void fault_note_map(int descriptor, void *address, size_t length);
void fault_note_unmap(void *address);

/// Removes a mapping, and forgets it.
int fault_unmap(void *address, size_t length);

/// Counts an operation, and decides what happens to it. Ended by `fault_leave`.
struct fault_verdict fault_enter(int kind);
void fault_leave(struct fault_verdict verdict);

/// Whether a synchronization is left out.
int fault_drops_sync(const struct fault_file *file);

/// The operation of a record.
struct fault_operation {
  int kind;
  int flags;
  uint64_t file;
  int64_t offset;
  /// The result, or the negative errno.
  long result;
};

/// Appends a record to the log.
void fault_log(
    struct fault_operation operation, const char *path, size_t path_length,
    const struct iovec *parts, int count);

/// Appends the contents of the mapped files.
void fault_log_contents(void);
