// The versions of the loaded C libraries, which may differ from those of the headers and of pkg-config.
#ifndef LIBRARY_VERSIONS_H
#define LIBRARY_VERSIONS_H

/// Such as 0.9.24. Valid for the life of the program.
const char *version_of_lmdb(void);

/// Such as 3.40.1. Valid for the life of the program.
const char *version_of_sqlite(void);

#endif
