// Counts allocations: a program that links this has malloc and its relatives counted, by thread.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How often this thread has asked the allocator for memory since it began.
unsigned long allocation_count(void);

#endif
