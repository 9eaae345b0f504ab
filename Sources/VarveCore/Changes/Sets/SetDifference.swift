package import VarveEncoding
package import VarveStorage

/// The difference of one set between two pinned versions, either of which may be the older one.
///
/// Indexes are positions in the order of the elements. An element that was removed and inserted
/// again is not a change.
///
/// A content in a row is bytes of its version: the difference may be used while both versions are
/// retained.
///
/// Thread safety: an immutable value; any number of threads may compare at once.
package struct SetDifference: Sendable {
  private let oldContent: CollectionContent
  private let newContent: CollectionContent
  private let property: StoredProperty

  /// - Parameters:
  ///   - old: The content of the set in the old version.
  ///   - new: The content in the new version. Its id differs if the object that owns the set was
  ///     deleted and created again under its primary key.
  package init(
    from old: CollectionContent, to new: CollectionContent, of property: StoredProperty
  ) {
    oldContent = old
    newContent = new
    self.property = property
  }

  /// Compares two versions. A version that lacks the set is compared as if the set were empty.
  ///
  /// - Parameters:
  ///   - old: The version to start from.
  ///   - new: The version to arrive at.
  /// - Returns: The changes; none if the sets are equal.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: O(pages of the set's key range that differ), plus one visit of each page of the
  ///   set up to the last change, to compute the indexes. O(n) if the ids differ, if pages are not
  ///   compared, or if an element is so long that its key is truncated.
  package func changes(from old: Snapshot, to new: Snapshot) throws(Failure) -> SetChanges {
    if let changes = try changesByPages(from: old, to: new) { return changes }
    var changes = SetChanges()
    var walks = SetWalks(walk(oldContent, old), walk(newContent, new), property.kind.type)
    while let step = try walks.next() {
      switch step {
      case .deletion(let index): changes.indexes.deletions.append(index)
      case .insertion(let index, let element):
        changes.indexes.insertions.append(index)
        changes.inserted.append(element)
      }
    }
    try checkSound(old, new)
    return changes
  }

  /// Whether both versions have the same elements.
  ///
  /// - Returns: true if `changes(from:to:)` would be empty.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: the cost of `changes(from:to:)` up to the first change.
  package func isEmpty(from old: Snapshot, to new: Snapshot) throws(Failure) -> Bool {
    var isEmpty = true
    if mayComparePages(old, new) {
      try forEachDifference(from: old, to: new) { _ in
        isEmpty = false
        return false
      }
      return isEmpty
    }
    var walks = SetWalks(walk(oldContent, old), walk(newContent, new), property.kind.type)
    isEmpty = try walks.next() == nil
    try checkSound(old, new)
    return isEmpty
  }

  /// Returns the changes computed from the differences of the table.
  ///
  /// - Returns: nil if all elements must be compared.
  private func changesByPages(
    from old: Snapshot, to new: Snapshot
  ) throws(Failure) -> SetChanges? {
    guard mayComparePages(old, new) else { return nil }
    var changes = SetChanges()
    var ranks = SetRanks(oldContent, in: old)
    var hasCutKeys = false
    try forEachDifference(from: old, to: new) { (entry) throws(Failure) in
      if CollectionEntryKey.isCut(entry.key) {
        hasCutKeys = true
        return false
      }
      let rank = ranks.rank(of: entry.key)
      guard let value = entry.new else {
        changes.indexes.deletions.append(rank)
        return true
      }
      let index = rank - changes.indexes.deletions.count + changes.indexes.insertions.count
      changes.indexes.insertions.append(index)
      changes.inserted.append(try property.setElement(inEntry: value))
      return true
    }
    return hasCutKeys ? nil : changes
  }

  private func mayComparePages(_ old: Snapshot, _ new: Snapshot) -> Bool {
    oldContent.id == newContent.id && old.sharesIDs(with: new)
  }

  /// Calls `body` with each entry that only one version has, in the order of the keys, until it
  /// returns false.
  private func forEachDifference(
    from old: Snapshot, to new: Snapshot, _ body: (EntryChange) throws(Failure) -> Bool
  ) throws(Failure) {
    var prefix = OrderedKey()
    CollectionEntryKey.begin(&prefix, collectionID: oldContent.id)
    try prefix.withPrefixRange { (range) throws(Failure) in
      var entries = try old.differences(to: new, in: .sets, range)
      while let entry = try entries.nextEntry() {
        if try isSame(entry) { continue }
        guard try body(entry) else { return }
      }
    }
  }

  /// Whether both versions have the element of an entry. A zero of the other sign, or an equal
  /// number in a set of mixed values, is the same element.
  private func isSame(_ entry: EntryChange) throws(Failure) -> Bool {
    guard let old = entry.old, let new = entry.new else { return false }
    guard CollectionEntryKey.isCut(entry.key) else { return true }
    return try property.setElement(inEntry: old) == property.setElement(inEntry: new)
  }

  private func walk(_ content: CollectionContent, _ snapshot: Snapshot) -> SetWalk {
    SetWalk(content, property, in: snapshot)
  }

  /// A walk ends at a damaged page as it does at the end of the set.
  private func checkSound(_ old: Snapshot, _ new: Snapshot) throws(Failure) {
    if let damage = old.environment.damageError ?? new.environment.damageError {
      throw Failure(damage)
    }
  }
}

/// The changes of a set.
package struct SetChanges: Sendable {
  /// The deletions and insertions.
  package var indexes = IndexChanges()
  /// The inserted elements, in the order of their indexes.
  package var inserted: [Value] = []
}
