/// One entry in which two versions of a table differ.
///
/// The bytes are those of the two versions, and are valid while both snapshots are held.
///
/// Thread safety: a value; the memory behind it is immutable.
package struct EntryChange {
  /// What became of an entry.
  package enum Kind: Sendable, Hashable {
    case inserted, deleted, modified
  }

  /// The key: that of the new version, unless the entry was deleted.
  package let key: UnsafeRawBufferPointer
  /// The value in the old version; nil for an entry that was inserted.
  package let old: UnsafeRawBufferPointer?
  /// The value in the new version; nil for an entry that was deleted.
  package let new: UnsafeRawBufferPointer?

  package var kind: Kind {
    if old == nil { return .inserted }
    return new == nil ? .deleted : .modified
  }

  /// The key in a table with integer keys; 0 in another table.
  package var id: UInt64 {
    guard key.count == 8, let base = key.baseAddress else { return 0 }
    return base.u64(0)
  }
}
