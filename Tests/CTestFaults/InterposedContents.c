#define _GNU_SOURCE
#include "Interposition.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if FAULT_IS_SUPPORTED

/// Writes at an offset, or at the current one if it is negative.
static ssize_t written(int descriptor, const struct iovec *parts, int count, off_t offset) {
  struct fault_file *file = fault_file_of(descriptor);
  struct iovec kept[1024];
  if (file == NULL || count > 1024) {
    if (offset < 0)
      return fault_finish(fault_system_call(SYS_writev, descriptor, (long)parts, count, 0, 0, 0));
    return fault_finish(
        fault_system_call(SYS_pwritev, descriptor, (long)parts, count, (long)offset, 0, 0));
  }
  struct fault_verdict verdict = fault_enter(fault_write);
  size_t rest = 0;
  for (int index = 0; index < count; index++) rest += parts[index].iov_len;
  // At least one byte, as the kernel does.
  if (verdict.action == fault_short && rest > 1) rest /= 2;
  // The kernel ends a write of a killed process between two pages.
  if (verdict.action == fault_kill_within) rest = rest / 2 & ~(size_t)4095;
  for (int index = 0; index < count; index++) {
    kept[index] = parts[index];
    if (kept[index].iov_len > rest) kept[index].iov_len = rest;
    rest -= kept[index].iov_len;
  }
  long start = offset;
  if (offset < 0) start = fault_system_call(SYS_lseek, descriptor, 0, SEEK_CUR, 0, 0, 0);
  long result = -verdict.error;
  if (verdict.error == 0) {
    result =
        offset < 0
        ? fault_system_call(SYS_writev, descriptor, (long)kept, count, 0, 0, 0)
        : fault_system_call(SYS_pwritev, descriptor, (long)kept, count, (long)offset, 0, 0);
  }
  fault_log_contents();
  fault_log(
      (struct fault_operation){
          .kind = fault_write, .flags = file->flags & ~fault_is_new, .file = file->inode,
          .offset = start, .result = result},
      file->path, strlen(file->path), kept, count);
  fault_leave(verdict);
  return fault_finish(result);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (fault_file_of(descriptor) == NULL)
    return fault_finish(
        fault_system_call(SYS_write, descriptor, (long)bytes, (long)length, 0, 0, 0));
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  return written(descriptor, &part, 1, -1);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  return written(descriptor, &part, 1, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  return written(descriptor, parts, count, -1);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return written(descriptor, parts, count, offset);
}

/// An operation on a descriptor without data.
static int changed(
    int kind, int descriptor, off_t end, long number, long a, long b, long c
) {
  struct fault_file *file = fault_file_of(descriptor);
  if (file == NULL) return (int)fault_finish(fault_system_call(number, descriptor, a, b, c, 0, 0));
  if (kind == fault_sync && fault_drops_sync(file)) return 0;
  struct fault_verdict verdict = fault_enter(kind);
  if (kind == fault_sync) fault_log_contents();
  long result = -verdict.error;
  if (verdict.error == 0) result = fault_system_call(number, descriptor, a, b, c, 0, 0);
  fault_log(
      (struct fault_operation){
          .kind = kind, .flags = file->flags & fault_is_directory, .file = file->inode,
          .offset = end, .result = result},
      file->path, strlen(file->path), NULL, 0);
  fault_leave(verdict);
  return verdict.is_hidden ? 0 : (int)fault_finish(result);
}

int fsync(int descriptor) {
  return changed(fault_sync, descriptor, 0, SYS_fsync, 0, 0, 0);
}

int fdatasync(int descriptor) {
  return changed(fault_sync, descriptor, 0, SYS_fdatasync, 0, 0, 0);
}

int ftruncate(int descriptor, off_t length) {
  return changed(fault_truncate, descriptor, length, SYS_ftruncate, (long)length, 0, 0);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return changed(
      fault_allocate, descriptor, offset + length, SYS_fallocate, mode, (long)offset,
      (long)length);
}

/// Returns the error, and leaves `errno` unchanged.
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  int saved = errno;
  int error = fallocate(descriptor, 0, offset, length) == 0 ? 0 : errno;
  errno = saved;
  return error;
}

// Mappings

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  struct fault_file *file = flags & MAP_ANONYMOUS ? NULL : fault_file_of(descriptor);
  if (file == NULL)
    return (void *)fault_finish(fault_system_call(
        SYS_mmap, (long)address, (long)length, protection, flags, descriptor, (long)offset));
  struct fault_verdict verdict = fault_enter(fault_map);
  long result = -verdict.error;
  if (verdict.error == 0)
    result = fault_system_call(
        SYS_mmap, (long)address, (long)length, protection, flags, descriptor, (long)offset);
  if ((result >= 0 || result < -4095) && protection & PROT_WRITE && flags & MAP_SHARED)
    fault_note_map(descriptor, (void *)result, length);
  fault_leave(verdict);
  return (void *)fault_finish(result);
}

int munmap(void *address, size_t length) {
  if (fault_is_active()) return fault_unmap(address, length);
  return (int)fault_finish(
      fault_system_call(SYS_munmap, (long)address, (long)length, 0, 0, 0, 0));
}

int msync(void *address, size_t length, int flags) {
  if (!fault_is_active())
    return (int)fault_finish(
        fault_system_call(SYS_msync, (long)address, (long)length, flags, 0, 0, 0));
  struct fault_verdict verdict = fault_enter(fault_map_sync);
  long result = -verdict.error;
  if (verdict.error == 0)
    result = fault_system_call(SYS_msync, (long)address, (long)length, flags, 0, 0, 0);
  fault_log_contents();
  fault_log((struct fault_operation){.kind = fault_map_sync, .result = result}, "", 0, NULL, 0);
  fault_leave(verdict);
  return (int)fault_finish(result);
}

// The names of the same functions with 64-bit offsets.
#undef pwrite64
#undef pwritev64
#undef ftruncate64
#undef fallocate64
#undef posix_fallocate64
#undef mmap64
#define ALIAS(name) __attribute__((alias(#name)))
ssize_t pwrite64(int, const void *, size_t, off64_t) ALIAS(pwrite);
ssize_t pwritev64(int, const struct iovec *, int, off64_t) ALIAS(pwritev);
int ftruncate64(int, off64_t) ALIAS(ftruncate);
int fallocate64(int, int, off64_t, off64_t) ALIAS(fallocate);
int posix_fallocate64(int, off64_t, off64_t) ALIAS(posix_fallocate);
void *mmap64(void *, size_t, int, int, int, off64_t) ALIAS(mmap);

#endif
