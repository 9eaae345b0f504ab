/// A view of the entries of a dictionary in the row of its owner, in the order of the bytes of
/// their keys.
///
/// The bytes belong to the caller and must outlive the view.
///
/// Byte layout: Docs/Format.md, “Collections in rows”.
package struct RowEntries {
  /// Whether an entry with a key may be in a row: outside it, the key is verbatim too.
  package static func mayContain(key: UnsafeRawBufferPointer) -> Bool {
    CollectionEntryKey.isShort(key)
  }

  /// The least number of bytes of an entry in addition to its key and its element.
  package static let entryOverhead = 2

  /// Returns the least number of bytes of as many entries: those of empty keys and null values.
  package static func leastByteCount(ofEntries count: Int) -> Int { count * (entryOverhead + 1) }

  /// The keys and the elements, alternating.
  let parts: RowParts

  package var count: Int { parts.count / 2 }

  /// - Parameters:
  ///   - bytes: The bytes of the collection in the row.
  ///   - count: The number of entries.
  /// - Throws: `badLength`.
  /// - Complexity: O(1). The bounds of each entry are checked when it is read.
  package init(validating bytes: UnsafeRawBufferPointer, count: Int) throws(FormatError) {
    guard count <= bytes.count, let parts = RowParts(bytes, count: 2 * count) else {
      throw FormatError(
        .badLength, "a dictionary in a row has a wrong length", found: UInt64(bytes.count))
    }
    self.parts = parts
  }

  /// Returns the key and the element of an entry.
  ///
  /// - Throws: `badLength` if its bounds are not those of an entry.
  package func entry(
    at index: Int
  ) throws(FormatError) -> (key: UnsafeRawBufferPointer, element: UnsafeRawBufferPointer) {
    let part = 2 * index
    guard let key = parts.bytes(part..<part + 1), let element = parts.bytes(part + 1..<part + 2),
      !element.isEmpty
    else {
      throw FormatError(
        .badLength, "an entry of a dictionary in a row has wrong bounds", offset: index)
    }
    return (key, element)
  }

  /// Searches a key.
  ///
  /// - Returns: The index of its entry, or of the first entry with a greater key.
  /// - Throws: `badLength`.
  /// - Complexity: O(log n).
  package func find(
    _ key: UnsafeRawBufferPointer
  ) throws(FormatError) -> (index: Int, isPresent: Bool) {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let order = ByteOrder.compare(try entry(at: middle).key, key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Returns the element under a key, or nil if the key is absent.
  ///
  /// - Throws: `badLength`.
  package func element(
    forKey key: UnsafeRawBufferPointer
  ) throws(FormatError) -> UnsafeRawBufferPointer? {
    let (index, isPresent) = try find(key)
    return isPresent ? try entry(at: index).element : nil
  }
}
