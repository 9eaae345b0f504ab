package import VarveEncoding
package import VarveStorage

/// What changed in one string-keyed dictionary between two pinned versions, either of which may be
/// the older one.
///
/// A key is modified when its value is stored otherwise than before: a NaN is itself, -0.0 is not
/// 0.0, a null that has come into the place of a deleted object is a change. Large strings and data
/// are compared by their bytes. So a value that was changed and changed back is no change, and
/// neither is a key that was removed and put in again.
///
/// Both versions are of one file, or of a copy of it: elsewhere long keys are cut otherwise, and count
/// as removed and put in again.
///
/// Damaged entries give an error, and so does a value of a type that only a newer version knows.
///
/// Thread safety: an immutable value; any number of threads may compare at once.
package struct MapDifference: Sendable {
  package let oldSlot: CollectionSlot
  package let newSlot: CollectionSlot

  /// - Parameters:
  ///   - old: the dictionary's slot in the old version.
  ///   - new: its slot in the new version. The id is another one where the object that owns the dictionary was deleted
  ///     and created again under its primary key.
  package init(from old: CollectionSlot, to new: CollectionSlot) {
    oldSlot = old
    newSlot = new
  }

  /// Compares two versions; one that does not have the dictionary is compared as if it were empty.
  ///
  /// - Parameters:
  ///   - old: the version to start from.
  ///   - new: the version to arrive at.
  /// - Returns: the changes; none if the dictionaries are equal.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: O(pages of the table that differ in the dictionary's part of it), and O(bytes) for
  ///   large values that were written again; O(entries) between two ids, and where pages are not
  ///   compared. A dictionary's neighbours cost nothing but on the pages that it shares with them.
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
      // Also where two keys were cut to the same.
      if let before = pair.old { changes.deletions.append(try before.wholeKey()) }
      if let after = pair.new { changes.insertions.append(try after.wholeKey()) }
    }
    // Keys of one beginning that were cut are stored in the order of their hashes.
    if hasCutKeys { changes.sort() }
    return changes
  }

  /// Whether both versions hold the same keys with the same values.
  ///
  /// - Parameters:
  ///   - old: a version.
  ///   - new: another one.
  /// - Returns: true if `changes(from:to:)` would be empty.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: as `changes(from:to:)` up to the first change.
  package func isEmpty(from old: Snapshot, to new: Snapshot) throws(StorageError) -> Bool {
    var pairs = try MapEntryPairs(self, old, new)
    while let pair = try pairs.next() {
      guard try pair.isSame() else { return false }
    }
    return true
  }
}
