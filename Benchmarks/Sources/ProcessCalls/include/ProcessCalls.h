// System calls that Swift does not import.

#ifndef PROCESSCALLS_H
#define PROCESSCALLS_H

/// Makes the system kill this process when the thread that started it ends.
void end_with_parent(void);

/// Returns the free memory of malloc to the system.
void return_free_memory(void);

#endif
