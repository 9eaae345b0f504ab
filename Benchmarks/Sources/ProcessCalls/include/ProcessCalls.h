// Calls of the system that Swift does not import.

#ifndef PROCESSCALLS_H
#define PROCESSCALLS_H

/// Has this process killed when the thread that started it ends, with its process.
void end_with_parent(void);

/// Gives the memory that malloc keeps for later back to the system.
void return_free_memory(void);

#endif
