#pragma once

#include "CTestInterposition.h"
#include "CTestKillTable.h"

/// Makes every `fcntl` with a command fail from now on, in this process and until it ends.
///
/// The function installs a filter of system calls (seccomp), and changes no loaded code.
///
/// Returns 0, or the error of installing the filter.
int test_fail_fcntl(int command, int error);

/// Kills the process when it is about to wake waiting threads of other processes.
///
/// Returns 0, or the error of installing the filter.
int test_die_at_wake(void);
