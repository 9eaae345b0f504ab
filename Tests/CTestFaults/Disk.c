#include "CTestFaults.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mount.h>

int fault_mount(const char *path, int64_t size, int again) {
  char options[64];
  snprintf(options, sizeof options, "size=%lld,mode=700", (long long)size);
  if (!again) umount2(path, MNT_DETACH);
  return mount("tmpfs", path, "tmpfs", again ? MS_REMOUNT : 0, options) == 0 ? 0 : errno;
}
