#define _GNU_SOURCE
#include "Interposition.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if FAULT_IS_SUPPORTED

static int opened(int directory, const char *path, int flags, int mode) {
  if (!fault_is_below(path))
    return (int)fault_finish(
        fault_system_call(SYS_openat, directory, (long)path, flags, mode, 0, 0));
  struct fault_verdict verdict = fault_enter(fault_open);
  struct stat status;
  int is_new = flags & O_CREAT && fstatat(AT_FDCWD, path, &status, 0) != 0;
  long result =
      verdict.error != 0
      ? -verdict.error
      : fault_system_call(SYS_openat, directory, (long)path, flags, mode, 0, 0);
  struct fault_file *file = NULL;
  if (result >= 0) {
    int is_durable = (flags & O_DSYNC) != 0;
    fault_note_open(
        (int)result, path, (is_new ? fault_is_new : 0) | (is_durable ? fault_is_durable : 0));
    file = fault_file_of((int)result);
  }
  struct fault_operation operation = {.kind = fault_open, .result = result};
  if (file != NULL) operation.file = file->inode;
  if (file != NULL) operation.flags = file->flags;
  fault_log(operation, path, strlen(path), NULL, 0);
  fault_leave(verdict);
  return (int)fault_finish(result);
}

static int mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, int) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(directory, path, flags, mode);
}

int close(int descriptor) {
  fault_note_close(descriptor);
  return (int)fault_finish(fault_system_call(SYS_close, descriptor, 0, 0, 0, 0, 0));
}

/// An operation on one or two names.
static int named(int kind, const char *from, const char *to, long number, const long *values) {
  struct fault_verdict verdict = fault_enter(kind);
  struct stat status;
  uint64_t inode = lstat(from, &status) == 0 ? status.st_ino : 0;
  long result =
      verdict.error != 0
      ? -verdict.error
      : fault_system_call(number, values[0], values[1], values[2], values[3], values[4], 0);
  char names[1024];
  size_t length = strlen(from);
  if (length + 1 + strlen(to) >= sizeof names) abort();
  strcpy(names, from);
  if (*to != 0) {
    strcpy(names + length + 1, to);
    length += 1 + strlen(to);
  }
  fault_log(
      (struct fault_operation){.kind = kind, .file = inode, .result = result}, names, length, NULL,
      0);
  fault_leave(verdict);
  return (int)fault_finish(result);
}

static int renamed(const char *from, const char *to, unsigned flags) {
  long values[] = {AT_FDCWD, (long)from, AT_FDCWD, (long)to, flags};
  if (fault_is_below(from) && fault_is_below(to))
    return named(fault_rename, from, to, SYS_renameat2, values);
  return (int)fault_finish(
      fault_system_call(SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to, flags, 0));
}

int rename(const char *from, const char *to) { return renamed(from, to, 0); }

int unlink(const char *path) {
  long values[] = {AT_FDCWD, (long)path, 0, 0, 0};
  if (fault_is_below(path)) return named(fault_unlink, path, "", SYS_unlinkat, values);
  return (int)fault_finish(fault_system_call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0));
}

/// Varve renames exclusively through this function, because not every C library has another.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long values[6];
  for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2 && fault_is_active())
    return renamed((const char *)values[1], (const char *)values[3], (unsigned)values[4]);
  return fault_finish(fault_system_call(
      number, values[0], values[1], values[2], values[3], values[4], values[5]));
}

#undef open64
#undef openat64
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int directory, const char *path, int flags, ...) __attribute__((alias("openat")));

#endif
