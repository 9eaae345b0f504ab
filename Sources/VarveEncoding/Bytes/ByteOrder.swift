import CVarve

/// The order of byte strings: lexicographic by unsigned bytes, a prefix before its extensions.
///
/// This is LMDB's key order, and the order of strings and data everywhere.
package enum ByteOrder {
  /// Compares two byte strings.
  ///
  /// - Returns: negative, zero or positive as `a` sorts before, equal to or after `b`.
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    varve_compare_bytes(a.baseAddress, a.count, b.baseAddress, b.count)
  }

  /// Whether two byte strings are the same.
  package static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count == b.count && compare(a, b) == 0
  }

  /// Whether `bytes` begins with `prefix`.
  package static func hasPrefix(
    _ bytes: UnsafeRawBufferPointer, _ prefix: UnsafeRawBufferPointer
  ) -> Bool {
    bytes.count >= prefix.count
      && compare(UnsafeRawBufferPointer(rebasing: bytes[..<prefix.count]), prefix) == 0
  }

  /// Whether `part` occurs in `bytes`. An empty part occurs nowhere.
  ///
  /// - Complexity: O(bytes + part) in the worst case.
  package static func contains(
    _ bytes: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer
  ) -> Bool {
    guard part.count <= bytes.count, let text = bytes.baseAddress, let start = part.baseAddress,
      !part.isEmpty
    else { return false }
    return varve_contains_bytes(text, bytes.count, start, part.count) != 0
  }
}
