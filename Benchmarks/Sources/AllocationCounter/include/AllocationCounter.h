// Counts the calls of malloc and related functions in a program that links this target, per thread.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// The number of allocations of the calling thread since its start.
unsigned long allocation_count(void);

#endif
