package import VarveEncoding
package import VarveStorage

/// The difference of one string-keyed dictionary between two pinned versions, either of which may
/// be the older one.
///
/// A key is modified when its stored value differs: a NaN equals itself, -0.0 differs from 0.0, and
/// a null that replaced a deleted object is a change. Large strings and data are compared by their
/// bytes. A value that was changed and reverted is therefore not a change, and neither is a key
/// that was removed and inserted again.
///
/// Both versions must be of one file, or of a copy of it. Otherwise long keys are truncated
/// differently, and are reported as removed and inserted.
///
/// Damaged entries cause an error, and so does a value of a type that only a newer version of the
/// library knows.
///
/// A content in a row is bytes of its version: the difference may be used while both versions are
/// retained.
///
/// Thread safety: an immutable value; any number of threads may compare at once.
package struct MapDifference: Sendable {
  package let oldContent: CollectionContent
  package let newContent: CollectionContent

  /// - Parameters:
  ///   - old: The dictionary's content in the old version.
  ///   - new: The content in the new version. Its id differs if the object that owns the dictionary
  ///     was deleted and created again under its primary key.
  package init(from old: CollectionContent, to new: CollectionContent) {
    oldContent = old
    newContent = new
  }

  /// Compares two versions. A version that lacks the dictionary is compared as if the dictionary
  /// were empty.
  ///
  /// - Parameters:
  ///   - old: The version to start from.
  ///   - new: The version to arrive at.
  /// - Returns: The changes; none if the dictionaries are equal.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: O(pages of the dictionary's key range that differ), plus O(bytes) for large
  ///   values that were rewritten; O(entries) if the ids differ, or if pages are not compared.
  ///   Neighboring dictionaries cost nothing except on the pages that they share with this one.
  package func changes(
    from old: Snapshot, to new: Snapshot
  ) throws(StorageError) -> KeyChanges {
    var pairs = try MapEntryPairs(self, old, new)
    var changes = KeyChanges()
    var hasCutKeys = false
    while let pair = try pairs.next() {
      if try pair.isSame() { continue }
      hasCutKeys = hasCutKeys || pair.isCut
      if let before = pair.old, let after = pair.new, before.hasSameKey(as: after) {
        changes.modifications.append(try after.wholeKey())
        continue
      }
      // Also if two keys were truncated to the same stored key.
      if let before = pair.old { changes.deletions.append(try before.wholeKey()) }
      if let after = pair.new { changes.insertions.append(try after.wholeKey()) }
    }
    // Truncated keys with a common prefix are stored in the order of their hashes.
    if hasCutKeys { changes.sort() }
    return changes
  }

  /// Whether both versions have the same keys with the same values.
  ///
  /// - Returns: true if `changes(from:to:)` would be empty.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: the cost of `changes(from:to:)` up to the first change.
  package func isEmpty(from old: Snapshot, to new: Snapshot) throws(StorageError) -> Bool {
    var pairs = try MapEntryPairs(self, old, new)
    while let pair = try pairs.next() {
      guard try pair.isSame() else { return false }
    }
    return true
  }
}
