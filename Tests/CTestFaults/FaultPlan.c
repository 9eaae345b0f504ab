#define _GNU_SOURCE
#include "Interposition.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The state of the layer. `lock` guards it, and makes the order of the log the order of the
// operations.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char directory[256];
static size_t directory_length;
static struct fault_plan plan;
static int64_t counts[fault_kind_count];
static int mutant;

int fault_is_active(void) { return directory_length > 0; }

int fault_is_below(const char *path) {
  return path != NULL && directory_length > 0 && strncmp(path, directory, directory_length) == 0
      && (path[directory_length] == 0 || path[directory_length] == '/');
}

void fault_watch(const char *path) {
  size_t length = path == NULL ? 0 : strlen(path);
  if (length >= sizeof directory) abort();
  directory_length = 0;
  memcpy(directory, path == NULL ? "" : path, length);
  directory[length] = 0;
  directory_length = length;
}

void fault_arm(struct fault_plan wanted) {
  pthread_mutex_lock(&lock);
  plan = wanted;
  memset(counts, 0, sizeof counts);
  pthread_mutex_unlock(&lock);
}

int64_t fault_count(int32_t kind) {
  return kind >= 0 && kind < fault_kind_count ? counts[kind] : 0;
}

static void kill_now(void) {
  fault_system_call(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
  for (;;) pause();
}

struct fault_verdict fault_enter(int kind) {
  pthread_mutex_lock(&lock);
  struct fault_verdict verdict = {.kind = kind};
  int64_t number = ++counts[kind];
  if (plan.action == fault_none || plan.kind != kind) return verdict;
  if (number != plan.number && !(plan.is_permanent && number > plan.number)) return verdict;
  verdict.action = plan.action;
  if (plan.action == fault_kill_before) kill_now();
  if (plan.action == fault_fail) verdict.error = plan.error;
  verdict.is_hidden = mutant == fault_hide_sync_failure && kind == fault_sync;
  return verdict;
}

void fault_leave(struct fault_verdict verdict) {
  if (verdict.action == fault_kill_after || verdict.action == fault_kill_within) kill_now();
  pthread_mutex_unlock(&lock);
}

int fault_unmap(void *address, size_t length) {
  // Another thread may be recording the contents.
  pthread_mutex_lock(&lock);
  fault_note_unmap(address);
  long result = fault_system_call(SYS_munmap, (long)address, (long)length, 0, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return (int)fault_finish(result);
}

int fault_drops_sync(const struct fault_file *file) {
  int is_directory = file->flags & fault_is_directory;
  return mutant == (is_directory ? fault_drop_directory_sync : fault_drop_data_sync);
}

void fault_mark(int32_t kind, int64_t number) {
  if (!fault_is_active()) return;
  pthread_mutex_lock(&lock);
  fault_log((struct fault_operation){.kind = kind, .offset = number}, "", 0, NULL, 0);
  pthread_mutex_unlock(&lock);
}

static int position(const char *const *names, int count, const char *name) {
  for (int index = 0; index < count; index++)
    if (names[index] != NULL && strcmp(names[index], name) == 0) return index;
  static const char message[] = "VARVE_FAULT: unknown name\n";
  fault_system_call(SYS_write, 2, (long)message, sizeof message - 1, 0, 0, 0);
  _exit(2);
}

static void read_plan(const char *text) {
  static const char *const kinds[] = {
      "open", "write", "sync", "truncate", "allocate", "rename", "unlink", "map", "mapSync"};
  static const char *const actions[] = {
      "none", "fail", "short", "killBefore", "killAfter", "killWithin"};
  char copy[128];
  if (strlen(text) >= sizeof copy) _exit(2);
  strcpy(copy, text);
  char *rest = copy;
  char *words[5] = {NULL};
  for (int index = 0; index < 5; index++) words[index] = strsep(&rest, ":");
  plan.kind = position(kinds, fault_kind_count, words[0] == NULL ? "" : words[0]);
  plan.number = words[1] == NULL ? 1 : atoll(words[1]);
  plan.action = position(actions, 6, words[2] == NULL ? "" : words[2]);
  plan.error = words[3] == NULL ? 5 : atoi(words[3]);
  plan.is_permanent = words[4] != NULL && strcmp(words[4], "always") == 0;
}

/// Reads the variables before `main`.
__attribute__((constructor)) static void read_environment(void) {
  static const char *const mutants[] = {
      NULL, "dropDataSync", "dropDirectorySync", "hideSyncFailure"};
  const char *path = getenv("VARVE_FAULT_DIRECTORY");
  if (path == NULL || *path == 0) return;
  const char *text = getenv("VARVE_FAULT_PLAN");
  if (text != NULL && *text != 0) read_plan(text);
  text = getenv("VARVE_FAULT_MUTANT");
  if (text != NULL && *text != 0) mutant = position(mutants, 4, text);
  fault_watch(path);
}
