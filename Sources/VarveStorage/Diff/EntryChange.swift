/// One entry that differs between two versions of a table.
///
/// The bytes belong to the two versions, and are valid while both snapshots are retained.
///
/// Thread safety: a value; the memory behind it is immutable.
package struct EntryChange {
  /// The kind of change.
  package enum Kind: Sendable, Hashable {
    case inserted, deleted, modified
  }

  /// The key in the new version, or in the old version if the entry was deleted.
  package let key: UnsafeRawBufferPointer
  /// The value in the old version; nil for an inserted entry.
  package let old: UnsafeRawBufferPointer?
  /// The value in the new version; nil for a deleted entry.
  package let new: UnsafeRawBufferPointer?

  package var kind: Kind {
    if old == nil { return .inserted }
    return new == nil ? .deleted : .modified
  }

  /// The key in a table with integer keys; 0 in a table with byte keys.
  package var id: UInt64 {
    guard key.count == 8, let base = key.baseAddress else { return 0 }
    return base.u64(0)
  }
}
