#define _GNU_SOURCE
#include "CVarve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
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
