import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// The index of the first element with some raw bits; nil as bits finds the first null.
  ///
  /// - Returns: nil if there is none.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(n).
  package func firstIndex(ofBits bits: UInt64?) throws(StorageError) -> Int? {
    guard bits != nil || format.isNullable else { return nil }
    var position = 0
    while position < count {
      let place = try leafForReading(position)
      for offset in position - place.start..<place.count {
        if let bits {
          if place.bits(at: offset, shape) == bits { return place.start + offset }
        } else if place.element(at: offset) == nil {
          return place.start + offset
        }
      }
      position = place.start + place.count
    }
    return nil
  }
}
