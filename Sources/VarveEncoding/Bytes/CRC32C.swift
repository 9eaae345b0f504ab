import CVarve

/// The checksum of rows, list nodes, and catalog records.
package enum CRC32C {
  /// Returns the CRC-32C (Castagnoli) of the bytes.
  ///
  /// - Complexity: O(n), several bytes a cycle.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    varve_crc32c(0, bytes.baseAddress, bytes.count)
  }

  /// Returns the CRC-32C of two numbers, as they are in memory, and of the bytes after them.
  static func checksum(
    after first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer
  ) -> UInt32 {
    varve_crc32c_after(first, second, bytes.baseAddress, bytes.count)
  }
}
