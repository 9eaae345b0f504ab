#define _GNU_SOURCE
#include "CVarve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

int varve_open(const char *path, int flags, uint32_t mode) {
  return varve_openat(AT_FDCWD, path, flags, mode);
}

int varve_openat(int directory, const char *path, int flags, uint32_t mode) {
  int descriptor;
  do descriptor = openat(directory, path, flags, (mode_t)mode);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

int varve_open_unwritable(void) { return varve_open("/", O_PATH | O_CLOEXEC, 0); }

int varve_open_path(const char *path) {
  return varve_open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
}

int varve_replace_descriptor(int descriptor, int replacement) {
  return dup3(replacement, descriptor, O_CLOEXEC) < 0 ? errno : 0;
}

int varve_rename_exclusively(const char *from, const char *to) {
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL) return errno;
  if (link(from, to) != 0) return errno;
  return unlink(from) == 0 ? 0 : errno;
}

static int varve_set_file_lock(int descriptor, int64_t byte, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  int result;
  do result = fcntl(descriptor, F_OFD_SETLK, &lock);
  while (result != 0 && errno == EINTR);
  if (result == 0) return 0;
  return errno == EACCES ? EAGAIN : errno;
}

int varve_file_lock(int descriptor, int64_t byte, int exclusive) {
  return varve_set_file_lock(descriptor, byte, exclusive ? F_WRLCK : F_RDLCK);
}

int varve_file_unlock(int descriptor, int64_t byte) {
  return varve_set_file_lock(descriptor, byte, F_UNLCK);
}

int varve_file_lock_find(int descriptor, int64_t byte, int32_t *pid) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  int result;
  do result = fcntl(descriptor, F_OFD_GETLK, &lock);
  while (result != 0 && errno == EINTR);
  if (result != 0) return errno;
  if (lock.l_type == F_UNLCK) return 0;
  if (pid) *pid = lock.l_pid > 0 ? lock.l_pid : 0;
  return EAGAIN;
}

void varve_ignore_file_size_signal(void) {
  struct sigaction current;
  if (sigaction(SIGXFSZ, NULL, &current) != 0) return;
  if (!(current.sa_flags & SA_SIGINFO) && current.sa_handler == SIG_DFL) {
    current.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &current, NULL);
  }
}

int varve_clone_file(int target, int source) {
  return ioctl(target, FICLONE, source) == 0 ? 0 : errno;
}

void varve_avoid_copies(int descriptor) {
  int flags = 0;
  if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) return;
  /* Refused beside compression, which the file has from its directory. */
  int plain = flags & ~(FS_COMPR_FL | FS_NOCOMP_FL);
  if (plain != flags && ioctl(descriptor, FS_IOC_SETFLAGS, &plain) != 0) return;
  plain |= FS_NOCOW_FL;
  ioctl(descriptor, FS_IOC_SETFLAGS, &plain);
}

int varve_copies_on_write(int descriptor) {
  struct statfs system;
  int flags = 0;
  if (fstatfs(descriptor, &system) != 0) return 0;
  if ((unsigned)system.f_type == BTRFS_SUPER_MAGIC &&
      ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0 && !(flags & FS_NOCOW_FL))
    return 1;
  enum { limit = 32 };
  union {
    struct fiemap map;
    char bytes[sizeof(struct fiemap) + limit * sizeof(struct fiemap_extent)];
  } answer;
  memset(&answer, 0, sizeof answer);
  answer.map.fm_length = FIEMAP_MAX_OFFSET;
  answer.map.fm_extent_count = limit;
  if (ioctl(descriptor, FS_IOC_FIEMAP, &answer) != 0) return 0;
  for (unsigned i = 0; i < answer.map.fm_mapped_extents; i++)
    if (answer.map.fm_extents[i].fe_flags & FIEMAP_EXTENT_SHARED) return 1;
  return 0;
}

int varve_probe_room(const char *directory, int64_t byte_count) {
  int descriptor = varve_open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  int result = descriptor < 0 ? -descriptor : posix_fallocate(descriptor, 0, byte_count);
  if (descriptor >= 0) close(descriptor);
  return result == ENOSPC || result == EDQUOT || result == EFBIG ? result : 0;
}

uint64_t varve_heap_block_size(void *block) { return malloc_usable_size(block); }

void varve_trim_heap(void) { malloc_trim(0); }

int varve_file_system_type(const char *path, uint64_t *type) {
  struct statfs system;
  if (statfs(path, &system) != 0) return errno;
  *type = (uint64_t)system.f_type;
  return 0;
}

/* The same as in linux/sched/types.h, which older headers lack. */
struct varve_scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

void varve_prefer_short_turns(void) {
#ifdef SYS_sched_setattr
  struct varve_scheduling attributes = {0};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  /* A policy other than the default was chosen by the program and is kept. */
  if (attributes.policy != 0) return;
  /* The minimum: a tenth of a millisecond. */
  attributes.runtime = 100000;
  /* SCHED_FLAG_RESET_ON_FORK: not inherited by threads and processes that this one starts. */
  attributes.flags |= 1;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

uint64_t varve_turn_nanoseconds(void) {
#ifdef SYS_sched_setattr
  struct varve_scheduling attributes = {0};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0) return attributes.runtime;
#endif
  return 0;
}

void varve_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int32_t varve_thread_id(void) { return (int32_t)syscall(SYS_gettid); }
