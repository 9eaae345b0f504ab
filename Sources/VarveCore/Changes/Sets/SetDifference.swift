package import VarveEncoding
package import VarveStorage

/// What changed in one set between two pinned versions, either of which may be the older one.
///
/// Indexes are places in the order of the elements. An element that was removed and inserted again is no change.
///
/// Thread safety: an immutable value; any number of threads may compare at once.
package struct SetDifference: Sendable {
  private let oldSlot: CollectionSlot
  private let newSlot: CollectionSlot
  private let property: StoredProperty

  /// - Parameters:
  ///   - old: the slot of the set in the old version.
  ///   - new: that in the new version. It has another id where the object that owns the set was deleted and created
  ///     again under its primary key.
  ///   - property: of the set.
  package init(
    from old: CollectionSlot, to new: CollectionSlot, of property: StoredProperty
  ) {
    oldSlot = old
    newSlot = new
    self.property = property
  }

  /// Compares two versions; one that does not have the set is compared as if it were empty.
  ///
  /// - Parameters:
  ///   - old: the version to start from.
  ///   - new: the version to arrive at.
  /// - Returns: the changes; none if the sets are equal.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: O(pages of the table that differ in the set's part of it), and a look at each page of the set up to
  ///   the last change, for the places. O(n) between two ids, where pages are not compared, and where one of the
  ///   elements is so long that its key is cut.
  package func changes(from old: Snapshot, to new: Snapshot) throws(Failure) -> SetChanges {
    if let changes = try changesByPages(from: old, to: new) { return changes }
    var changes = SetChanges()
    var walks = SetWalks(walk(oldSlot, old), walk(newSlot, new), property.kind.type)
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

  /// Whether both versions hold the same elements.
  ///
  /// - Parameters:
  ///   - old: a version.
  ///   - new: another one.
  /// - Returns: true if `changes(from:to:)` would be empty.
  /// - Throws: `.corrupted` for damaged entries.
  /// - Complexity: as `changes(from:to:)` up to the first change.
  package func isEmpty(from old: Snapshot, to new: Snapshot) throws(Failure) -> Bool {
    var isEmpty = true
    if mayComparePages(old, new) {
      try forEachDifference(from: old, to: new) { _ in
        isEmpty = false
        return false
      }
      return isEmpty
    }
    var walks = SetWalks(walk(oldSlot, old), walk(newSlot, new), property.kind.type)
    isEmpty = try walks.next() == nil
    try checkSound(old, new)
    return isEmpty
  }

  /// The changes by what differs in the table.
  ///
  /// - Returns: nil where all elements must be looked at.
  private func changesByPages(
    from old: Snapshot, to new: Snapshot
  ) throws(Failure) -> SetChanges? {
    guard mayComparePages(old, new) else { return nil }
    var changes = SetChanges()
    var ranks = SetRanks(oldSlot, in: old)
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
      changes.inserted.append(try property.setElement(value))
      return true
    }
    return hasCutKeys ? nil : changes
  }

  private func mayComparePages(_ old: Snapshot, _ new: Snapshot) -> Bool {
    oldSlot.id == newSlot.id && old.sharesIDs(with: new)
  }

  /// Calls `body` with each entry that only one version has, in the order of the keys, for as long as it gives true.
  private func forEachDifference(
    from old: Snapshot, to new: Snapshot, _ body: (EntryChange) throws(Failure) -> Bool
  ) throws(Failure) {
    var prefix = OrderedKey()
    CollectionEntryKey.begin(&prefix, collectionID: oldSlot.id)
    try prefix.withPrefixRange { (range) throws(Failure) in
      var entries = try old.differences(to: new, in: .sets, range)
      while let entry = try entries.nextEntry() {
        if try isSame(entry) { continue }
        guard try body(entry) else { return }
      }
    }
  }

  /// Whether both versions have the element of an entry; another 0.0, or number of a mixed set, is the same one.
  private func isSame(_ entry: EntryChange) throws(Failure) -> Bool {
    guard let old = entry.old, let new = entry.new else { return false }
    guard CollectionEntryKey.isCut(entry.key) else { return true }
    return try property.setElement(old) == property.setElement(new)
  }

  private func walk(_ slot: CollectionSlot, _ snapshot: Snapshot) -> SetWalk {
    SetWalk(slot, property, in: snapshot)
  }

  /// A walk ends at a damaged page as at the end of the set.
  private func checkSound(_ old: Snapshot, _ new: Snapshot) throws(Failure) {
    if let damage = old.environment.damageError ?? new.environment.damageError {
      throw Failure(damage)
    }
  }
}

/// The changes of a set.
package struct SetChanges: Sendable {
  /// Deletions and insertions.
  package var indexes = IndexChanges()
  /// The elements that were inserted, in the order of their indexes.
  package var inserted: [Value] = []
}
