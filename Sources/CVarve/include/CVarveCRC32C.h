#ifndef VARVE_CRC32C_H
#define VARVE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected, initial and final inversion) of some bytes.
///
/// The checksum of a whole is that of its parts in order: start with 0 and pass each result on.
/// Uses the processor's CRC instructions (SSE4.2, ARMv8 CRC) where there are any.
uint32_t varve_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same checksum, without the processor's help: the fallback of `varve_crc32c`.
uint32_t varve_crc32c_table(uint32_t crc, const void *bytes, size_t count);

#endif
