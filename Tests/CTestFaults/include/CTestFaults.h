#pragma once

/// Lets every `fcntl` of a command fail from now on, in this process, for as long as it lives.
///
/// A filter of system calls (seccomp) does it: nothing that the process has loaded is changed.
///
/// Returns 0, or the error of installing the filter.
int test_fail_fcntl(int command, int error);

/// Kills the process when it is about to wake those who wait in other processes.
///
/// Returns 0, or the error of installing the filter.
int test_die_at_wake(void);
