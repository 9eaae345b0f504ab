import CVarve

/// The checksum of rows, list nodes, entries of collections, blobs and catalog records.
package enum CRC32C {
  /// Returns the CRC-32C (Castagnoli) of the bytes.
  ///
  /// - Parameter before: The checksum of the bytes before these.
  /// - Complexity: O(n), several bytes a cycle.
  package static func checksum(
    _ bytes: UnsafeRawBufferPointer, after before: UInt32 = 0
  ) -> UInt32 {
    varve_crc32c(before, bytes.baseAddress, bytes.count)
  }

  /// Returns the CRC-32C of two numbers, as they are in memory, and of the bytes after them.
  static func checksum(
    after first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer
  ) -> UInt32 {
    varve_crc32c_after(first, second, bytes.baseAddress, bytes.count)
  }
}
