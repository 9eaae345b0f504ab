import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Returns the index of the first element with the given raw bits; nil searches for the first
  /// null.
  ///
  /// - Returns: The index; nil if there is none.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(n).
  package func firstIndex(ofBits bits: UInt64?) throws(StorageError) -> Int? {
    guard bits != nil || format.isNullable else { return nil }
    var position = 0
    while position < count {
      let location = try leafForReading(position)
      for offset in position - location.start..<location.count {
        if let bits {
          if location.bits(at: offset, shape) == bits { return location.start + offset }
        } else if location.element(at: offset) == nil {
          return location.start + offset
        }
      }
      position = location.start + location.count
    }
    return nil
  }
}
