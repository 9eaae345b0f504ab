import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// The index of the first element with some raw bits, from an index on; nil as bits finds nulls.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(n).
  package func firstIndex(
    ofBits bits: UInt64?, from start: Int = 0
  ) throws(StorageError) -> Int? {
    guard bits != nil || format.isNullable else { return nil }
    var position = max(start, 0)
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

  /// The index of the first element whose bytes match, from an index on; nulls of a fixed width are
  /// passed over.
  ///
  /// - Parameters:
  ///   - start: the first index to look at.
  ///   - matching: the bytes are valid only inside the call.
  /// - Returns: nil if there is none.
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(n).
  package func firstIndex(
    from start: Int = 0, whereBytes matching: (UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) -> Int? {
    var position = max(start, 0)
    while position < count {
      let place = try leafForReading(position)
      for offset in position - place.start..<place.count {
        if let bytes = place.element(at: offset), matching(bytes) { return place.start + offset }
      }
      position = place.start + place.count
    }
    return nil
  }
}
