#pragma once

#include <stdint.h>

// File operations of this process that are recorded, killed or made to fail.
//
// The executable that contains these files defines `open`, `pwrite`, `fsync` and the other
// functions of the C library that change files, so that the calls of liblmdb and of Swift code
// reach them. Each one forwards to the kernel. They act only on files below one directory, and only
// when it is set: by the variables below, or by `fault_watch`.
//
//   VARVE_FAULT_DIRECTORY   the directory, without symbolic links
//   VARVE_FAULT_LOG         the file to which every operation is appended
//   VARVE_FAULT_PLAN        <kind>:<number>:<action>[:<errno>[:always]], see `fault_plan`
//   VARVE_FAULT_MUTANT      a fault of the recorded program, see `fault_mutant`

/// The kinds of operations and of other records in a log.
enum fault_kind {
  fault_open,      // open, openat
  fault_write,     // write, writev, pwrite, pwritev
  fault_sync,      // fsync, fdatasync
  fault_truncate,  // ftruncate
  fault_allocate,  // fallocate, posix_fallocate
  fault_rename,    // rename, renameat2
  fault_unlink,    // unlink, unlinkat
  fault_map,       // mmap
  fault_map_sync,  // msync
  fault_kind_count,

  // Only in logs: the beginning and the acknowledgment of a transaction, the contents of a file
  // that is written through a mapping, and the acknowledgment of a copy.
  fault_begin = 16,
  fault_acknowledge,
  fault_content,
  fault_copied,
};

/// What happens at the planned operation.
enum fault_action {
  fault_none,
  fault_fail,         // returns an error, without effect
  fault_short,        // writes half of the bytes
  fault_kill_before,  // kills the process, without effect
  fault_kill_after,   // kills the process when the operation has ended
  fault_kill_within,  // kills the process when half of the pages are written
};

/// Faults of a program, or of its disk, which a test of power failures must detect.
enum fault_mutant {
  fault_no_mutant,
  fault_drop_data_sync,       // "dropDataSync": data files are not synchronized
  fault_drop_directory_sync,  // "dropDirectorySync": directories are not synchronized
  fault_hide_sync_failure,    // "hideSyncFailure": the plan fails a synchronization, unnoticed
};

/// The operation at which something happens, counted from 1 within its kind.
struct fault_plan {
  int32_t kind;
  int32_t action;
  int64_t number;
  /// The errno of `fault_fail`.
  int32_t error;
  /// Whether the operations after it fail too.
  int32_t is_permanent;
};

/// The head of a record; the path and the bytes follow it.
struct fault_record {
  uint32_t magic;
  uint16_t kind;
  uint16_t flags;
  int32_t error;
  uint32_t path_length;
  /// The offset of a write, the size of a truncation, the end of an allocation, or the number of a
  /// transaction.
  int64_t offset;
  int64_t result;
  /// The inode of the file.
  uint64_t file;
  uint64_t byte_count;
};

enum { fault_record_magic = 0x544C4146 };

/// Flags of a record.
enum {
  fault_is_durable = 1,    // the write returned when its bytes were on the disk
  fault_is_directory = 2,  // the file is a directory
  fault_is_new = 4,        // the file was created
};

/// Acts on the files below a directory, from now on, without a log. NULL ends that.
void fault_watch(const char *directory);

/// Sets the plan, and begins to count.
void fault_arm(struct fault_plan plan);

/// The number of operations of a kind since the plan was set.
int64_t fault_count(int32_t kind);

/// Appends a mark to the log: `fault_begin`, `fault_acknowledge` or `fault_copied`.
void fault_mark(int32_t kind, int64_t number);

/// Mounts an empty disk in memory of this size at the path, in place of one mounted before, or
/// changes the size of that disk. Returns 0 or an errno.
int fault_mount(const char *path, int64_t size, int again);

/// Whether this build replaces the functions. Sanitizers define them too.
int fault_is_supported(void);
