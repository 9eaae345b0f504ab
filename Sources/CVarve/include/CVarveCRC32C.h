#ifndef VARVE_CRC32C_H
#define VARVE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected, initial and final inversion) of some
/// bytes.
///
/// To compute it in parts, start with 0 and pass each result to the next call.
/// Uses the processor's CRC instructions (SSE4.2, ARMv8 CRC) if available.
uint32_t varve_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The checksum of two words, as they are in memory, and of some bytes after them.
uint32_t varve_crc32c_after(uint64_t first, uint64_t second, const void *bytes, size_t count);

/// The same checksums without CRC instructions: the fallbacks of the above.
uint32_t varve_crc32c_table(uint32_t crc, const void *bytes, size_t count);
uint32_t varve_crc32c_after_table(
  uint64_t first, uint64_t second, const void *bytes, size_t count);

#endif
