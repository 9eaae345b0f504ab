#ifndef CVARVE_SYSTEM_H
#define CVARVE_SYSTEM_H

#include <stdint.h>

/* System calls that Swift cannot reach: variadic ones, and ones without a C library function.
   Each returns 0 or an errno, unless documented otherwise. */

/* open(2). Returns the descriptor, or -errno. */
int varve_open(const char *path, int flags, uint32_t mode);

/* openat(2). Returns the descriptor, or -errno. */
int varve_openat(int directory, const char *path, int flags, uint32_t mode);

/* Opens a descriptor that cannot be written: write(2) fails with EBADF. Returns the descriptor, or
   -errno. */
int varve_open_unwritable(void);

/* Opens a file by O_PATH, for fstat(2) only, without following a symbolic link. Closing the
   descriptor releases no locks of the process on the file. Returns the descriptor, or -errno. */
int varve_open_path(const char *path);

/* dup3(2): makes a descriptor refer to the open file of another one. A write that has begun continues.
   Needs no free descriptor. */
int varve_replace_descriptor(int descriptor, int replacement);

/* Renames and fails with EEXIST when the target exists. Falls back to link(2) and unlink(2) where the
   file system has no RENAME_NOREPLACE. */
int varve_rename_exclusively(const char *from, const char *to);

/* A lock on one byte of a file, owned by the open file description (so that closing another descriptor
   of the file does not release it). Never blocks: returns EAGAIN when another owner holds it. */
int varve_file_lock(int descriptor, int64_t byte, int exclusive);
int varve_file_unlock(int descriptor, int64_t byte);

/* Looks for a lock of another owner on one byte of a file, exclusive or shared. Takes no lock, and needs
   no write permission. Returns 0 when there is none, EAGAIN when there is one, or another errno. `pid`
   may be NULL; it is set to the owner of a process's lock, 0 when it is unknown in this PID namespace. */
int varve_file_lock_find(int descriptor, int64_t byte, int32_t *pid);

/* Ignores SIGXFSZ, if it has no handler: a write past RLIMIT_FSIZE then fails with EFBIG. */
void varve_ignore_file_size_signal(void);

/* Clones the contents of a file, if the file system can share them. */
int varve_clone_file(int target, int source);

/* Gives an empty file the no-copy-on-write attribute. File systems without it are left alone. */
void varve_avoid_copies(int descriptor);

/* Whether a store into a shared mapping of the file may need a new block, which a full disk does not
   have: on Btrfs without the attribute, and where the file shares blocks with a clone or a snapshot. */
int varve_copies_on_write(int descriptor);

/* Whether the directory has room for a file of this size, as far as its file system tells: 0, or the
   errno of a file without a name that was allocated and closed. 0 also where that is not supported. */
int varve_probe_room(const char *directory, int64_t byte_count);

/* The bytes of a block that `malloc` has returned: malloc_usable_size(3). */
uint64_t varve_heap_block_size(void *block);

/* Gives free pages of the heap back to the kernel: malloc_trim(3). */
void varve_trim_heap(void);

/* Reads the magic number of the file system of a path. */
int varve_file_system_type(const char *path, uint64_t *type);

/* Requests short time slices for the calling thread, which is then scheduled soon after it wakes.
   Linux 6.12 and later; does nothing elsewhere. */
void varve_prefer_short_turns(void);

/* The time slice of the calling thread; 0 if the system does not report it. */
uint64_t varve_turn_nanoseconds(void);

/* The id of the calling thread in its PID namespace. */
int32_t varve_thread_id(void);

/* Names the calling thread; at most 15 bytes. */
void varve_name_thread(const char *name);

#endif
