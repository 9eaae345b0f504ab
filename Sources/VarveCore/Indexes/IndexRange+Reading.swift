import VarveEncoding
package import VarveStorage

extension IndexRange {
  /// The exact number of objects.
  ///
  /// - Parameter reader: A snapshot or the running write transaction.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: Reads the header of each leaf of the range. Also reads the entries of truncated
  ///   keys that share their prefix with a bound. In a transaction, also takes two lookups for each
  ///   changed key.
  package func count(_ reader: any TableReader) throws(Failure) -> Int {
    var total = 0
    for span in spans { total += try span.count(reader, index) }
    return total
  }

  /// The estimated number of objects, at a cost that does not depend on their number.
  ///
  /// - Returns: The exact number if the entries fill few leaves. 0 only if there are none.
  /// - Complexity: O(depth) pages.
  package func estimate(_ reader: any TableReader) -> Int {
    spans.reduce(0) { $0 + $1.estimate(reader) }
  }

  /// The ids of the objects, ascending and without duplicates.
  ///
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(entries), plus a radix sort unless all entries have the same value.
  package func ids(_ reader: any TableReader) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    for span in spans { try span.appendIDs(to: &ids, reader, index) }
    if !hasOneValue { IDSorting.sort(&ids) }
    return ids
  }

  /// The first ids in index order. See ``walk(_:ascending:_:)``.
  package func firstIDs(
    _ limit: Int, _ reader: any TableReader, ascending: Bool = true
  ) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    guard limit > 0 else { return ids }
    try walk(reader, ascending: ascending) { (id) throws(Failure) in
      ids.append(id)
      return ids.count < limit
    }
    return ids
  }

  /// The object with the least or greatest ordered value. Among equal values, the object with the
  /// lowest id. In a mixed property, only numbers are considered.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(depth), plus O(1) for each entry of the greatest value, up to a limit.
  package static func extreme(
    of index: PropertyIndex, _ reader: any TableReader, ascending: Bool
  ) throws(Failure) -> UInt64? {
    try ordered(of: index).firstIDs(1, reader, ascending: ascending).first
  }
}

extension IndexSpan {
  /// The estimated number of keys.
  func estimate(_ reader: any TableReader) -> Int {
    lower.withRange(below: upper) { reader.estimateRange(.indexes, $0) }
  }

  func count(_ reader: any TableReader, _ index: PropertyIndex) throws(Failure) -> Int {
    if isExact {
      return lower.withRange(below: upper) { reader.countRange(.indexes, $0) }
    }
    var ids: [UInt64] = []
    try appendIDs(to: &ids, reader, index)
    return ids.count
  }

  func appendIDs(
    to ids: inout [UInt64], _ reader: any TableReader, _ index: PropertyIndex
  ) throws(Failure) {
    var cursor = cursor(reader)
    while cursor.advance() {
      if isExact || accepts(index.wholeBytes(cursor.key, cursor.value)) {
        ids.append(try index.objectID(cursor.key, cursor.value))
      }
    }
  }

  /// A cursor over the keys of the span.
  func cursor(_ reader: any TableReader, isForward: Bool = true) -> RangeCursor {
    RangeCursor(
      reader, .indexes, lower: lower.bytes, upper: upper?.bytes, isForward: isForward)
  }
}

extension PropertyIndex {
  /// The exact number of objects whose value equals a constant of the property's own type and of a
  /// fixed width: that of ``IndexRange/equal(to:of:)``.
  ///
  /// - Returns: nil for other constants.
  /// - Complexity: See ``IndexRange/count(_:)``. Allocates nothing outside a write.
  func count(equalTo constant: Value, _ reader: any TableReader) -> Int? {
    IndexKey.shortEdges(ofEqual: constant, type: kind.type, indexID: id).map { lower, upper in
      lower.withUnsafeBytes { lower in
        upper.withUnsafeBytes { upper in
          reader.countRange(.indexes, .keys(from: lower, below: upper))
        }
      }
    }
  }

  /// The object id of an entry.
  @inline(__always)
  func objectID(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(Failure) -> UInt64 {
    guard
      let id =
        isUnique && !isInKey(key, value)
        ? IndexKey.objectID(inValue: value) : IndexKey.objectID(atEndOf: key)
    else { throw Failure(.corrupted, "An index entry is damaged.") }
    return id
  }

  /// Whether the key of an entry of a unique index contains the object id, because one of its
  /// values is null.
  private func isInKey(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    let cutBytes = IndexKey.valueStart + OrderedKey.cutValueBytes
    return key.count < cutBytes ? value.count < 8 : key.count >= cutBytes + 8
  }

  /// The complete string or data of an entry whose key is truncated.
  func wholeBytes(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    isUnique && !isInKey(key, value) ? UnsafeRawBufferPointer(rebasing: value.dropFirst(8)) : value
  }

  /// The prefix of a key that consists of the index id and the value.
  func valuePart(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    isUnique && !isInKey(key, value) ? key : UnsafeRawBufferPointer(rebasing: key.dropLast(8))
  }

  /// Whether the key of an entry is truncated. All truncated keys, and no others, have at least
  /// this length.
  func isCut(_ key: UnsafeRawBufferPointer) -> Bool {
    key.count >= IndexKey.valueStart + OrderedKey.cutValueBytes
  }
}
