#ifndef VARVE_CRC32C_H
#define VARVE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected, initial and final inversion) of some bytes.
///
/// To compute it in parts, start with 0 and pass each result to the next call.
/// Uses the processor's CRC instructions (SSE4.2, ARMv8 CRC) if available.
uint32_t varve_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same checksum without CRC instructions: the fallback of `varve_crc32c`.
uint32_t varve_crc32c_table(uint32_t crc, const void *bytes, size_t count);

#endif
