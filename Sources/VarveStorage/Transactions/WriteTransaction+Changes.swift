/// The changes of a transaction, for reads over the pages of the version before it.
extension WriteTransaction {
  @inline(__always)
  func noteKey(_ table: Table, _ key: UnsafeRawBufferPointer, isPresent: Bool) {
    changed[Int(table.index)].keys?.note(key, isPresent: isPresent)
  }

  @inline(__always)
  func noteKey(_ table: Table, id: UInt64, isPresent: Bool) {
    changed[Int(table.index)].keys?.note(id, isPresent: isPresent)
  }

  /// Whether this transaction may have changed an entry of a table with integer keys. If not, the
  /// entry is the one of `base`.
  @inline(__always)
  package func mayHaveChanged(_ table: Table, id: UInt64) -> Bool {
    let index = Int(table.index)
    guard index < changed.count, changed[index].handle != 0 else { return false }
    return changed[index].keys?.mayHold(id) ?? true
  }

  /// Sorts the changed keys of a table.
  ///
  /// - Returns: Whether all of them are recorded.
  private func sortChanges(_ index: Int) -> Bool {
    guard changed[index].keys?.isComplete == true else { return false }
    changed[index].keys?.sort()
    return true
  }

  /// Returns the changed keys of a table in a range, if reading the other entries over pages costs
  /// less than reading every entry through LMDB.
  ///
  /// - Parameters:
  ///   - table: A table with changes.
  ///   - size: A closure that estimates the number of entries that the version before the write has
  ///     in the range.
  /// - Returns: nil if LMDB is to be used.
  func changes(_ table: Table, _ range: KeyRange, size: () -> Int) -> RangeChanges? {
    let index = Int(table.index)
    guard sortChanges(index), let keys = changed[index].keys else { return nil }
    let indices = range.withOrderedBounds { keys.indices(lower: $0, upper: $1) }
    guard indices.count <= Self.fewChanges || indices.count <= size() / Self.changeCost else {
      return nil
    }
    return RangeChanges(keys: keys, indices: indices)
  }

  /// The number of changed keys up to which they are read one by one, regardless of the size of the
  /// range.
  private static let fewChanges = 4
  /// Reading one changed key costs as much as moving over this many entries in LMDB.
  private static let changeCost = 16

  /// Returns how many more entries the transaction has in a range than the version before it.
  ///
  /// - Returns: nil if LMDB is to be used for all entries.
  func countDifference(_ table: Table, _ range: KeyRange, size: () -> Int) -> Int? {
    guard let handle = changedHandle(table), let changes = changes(table, range, size: size)
    else { return nil }
    let index = Int(table.index)
    // Moved out of the table during the change, because the closures read the transaction.
    guard var keys = changed[index].keys else { return nil }
    changed[index].keys = nil
    defer { changed[index].keys = keys }
    let isInteger = table.hasIntegerKeys
    return keys.countDifference(changes.indices) { key in
      isInteger
        ? base.find(table, id: key.bigEndianID) != nil : base.find(table, key: key) != nil
    } isNow: { key in
      isInteger
        ? withUnsafeBytes(of: key.bigEndianID) { isPresent(table, handle, $0) }
        : isPresent(table, handle, key)
    }
  }
}

/// The keys of a range that a transaction has changed, as of the first read of the range.
struct RangeChanges {
  let keys: ChangedKeys
  let indices: Range<Int>
}

extension UnsafeRawBufferPointer {
  /// The id in the form in which ``ChangedKeys`` stores it: eight bytes, big-endian.
  var bigEndianID: UInt64 { UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
}
