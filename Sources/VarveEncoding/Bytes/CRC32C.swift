import CVarve

/// The checksum of rows, list nodes and catalog records.
package enum CRC32C {
  /// Returns the CRC-32C (Castagnoli) of the bytes.
  ///
  /// - Complexity: O(n), several bytes a cycle.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    varve_crc32c(0, bytes.baseAddress, bytes.count)
  }
}
