// The versions of the C libraries that this program has loaded, which headers and pkg-config need not agree with.
#ifndef LIBRARY_VERSIONS_H
#define LIBRARY_VERSIONS_H

/// As in 0.9.24. Valid for the life of the program.
const char *version_of_lmdb(void);

/// As in 3.40.1. Valid for the life of the program.
const char *version_of_sqlite(void);

#endif
