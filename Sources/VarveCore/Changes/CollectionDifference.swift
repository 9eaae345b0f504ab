package import VarveEncoding
package import VarveStorage

/// What changed in a list, dictionary or set of an object between two versions of its slot.
///
/// A slot has another revision after each transaction that changed the collection. That the contents
/// differ is not said with it: what was changed may have been changed back.
///
/// Thread safety: an immutable value.
package struct CollectionDifference: Sendable {
  package let property: StoredProperty
  package let old: CollectionSlot
  package let new: CollectionSlot

  /// - Parameters:
  ///   - property: of the collection.
  ///   - old: its slot in the version to start from; `.none` where there is no such object.
  ///   - new: its slot in the version to arrive at.
  package init(
    of property: StoredProperty, from old: CollectionSlot, to new: CollectionSlot
  ) {
    self.property = property
    self.old = old
    self.new = new
  }

  /// Whether both versions hold the same: a list's elements as `ListDifference` compares them, a
  /// dictionary's entries as `MapDifference` does, a set's elements as `SetDifference` does.
  ///
  /// - Parameters:
  ///   - oldVersion: of the old slot.
  ///   - newVersion: of the new slot.
  /// - Returns: true if the changes of the collection would be empty.
  /// - Throws: `.corrupted` for damaged nodes and entries.
  /// - Complexity: O(1) where the slots are equal or count differently; else the cost of what differs up
  ///   to the first difference.
  package func isEmpty(
    from oldVersion: Snapshot, to newVersion: Snapshot
  ) throws(Failure) -> Bool {
    if old.count != new.count { return false }
    if old.count == 0 { return true }
    if old == new, oldVersion.sharesIDs(with: newVersion) { return true }
    switch property.kind.collection {
    case .list:
      return try Failure.translating(try list().isEmpty(from: oldVersion, to: newVersion))
    case .dictionary:
      return try Failure.translating(try map.isEmpty(from: oldVersion, to: newVersion))
    case .set: return try set.isEmpty(from: oldVersion, to: newVersion)
    case .none: return false
    }
  }

  /// The difference of a list; `links` is where its links are counted, if it holds objects.
  package func list(links: ListLinks? = nil) -> ListDifference {
    ListDifference(
      from: old, to: new, format: ListElementFormat(property.kind), links: links)
  }

  /// The difference of a dictionary.
  package var map: MapDifference { MapDifference(from: old, to: new) }

  /// The difference of a set.
  package var set: SetDifference { SetDifference(from: old, to: new, of: property) }
}
