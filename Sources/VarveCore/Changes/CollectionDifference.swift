package import VarveEncoding
package import VarveStorage

/// The difference of a list, dictionary or set of an object between two versions of its content.
///
/// A change may have been reverted: contents that are not identical may have the same elements.
///
/// A content in a row is bytes of its version: the difference may be used while both versions are
/// retained.
package struct CollectionDifference: Sendable {
  package let property: StoredProperty
  package let old: CollectionContent
  package let new: CollectionContent

  /// - Parameters:
  ///   - old: The content in the version to start from; `.none` if the object does not exist there.
  ///   - new: The content in the version to arrive at.
  package init(
    of property: StoredProperty, from old: CollectionContent, to new: CollectionContent
  ) {
    self.property = property
    self.old = old
    self.new = new
  }

  /// Whether both versions have the same contents. Lists are compared as in `ListDifference`,
  /// dictionaries as in `MapDifference`, sets as in `SetDifference`.
  ///
  /// - Parameters:
  ///   - oldVersion: The version of the old content.
  ///   - newVersion: The version of the new content.
  /// - Returns: true if the collection's changes would be empty.
  /// - Throws: `.corrupted` for damaged nodes and entries.
  /// - Complexity: O(1) if the contents are equal or their counts differ; otherwise the cost of
  ///   comparing the contents up to the first difference.
  package func isEmpty(
    from oldVersion: Snapshot, to newVersion: Snapshot
  ) throws(Failure) -> Bool {
    if old.count != new.count { return false }
    if old.count == 0 { return true }
    if old.isIdentical(to: new), oldVersion.sharesIDs(with: newVersion) { return true }
    switch property.kind.collection {
    case .list:
      return try Failure.translating(try list().isEmpty(from: oldVersion, to: newVersion))
    case .dictionary:
      return try Failure.translating(try map.isEmpty(from: oldVersion, to: newVersion))
    case .set: return try set.isEmpty(from: oldVersion, to: newVersion)
    case .none: return false
    }
  }

  /// The difference of a list. For a list of objects, `links` is where its links are counted.
  package func list(links: ListLinks? = nil) -> ListDifference {
    ListDifference(
      from: old, to: new, format: ListElementFormat(property.kind), links: links)
  }

  /// The difference of a dictionary.
  package var map: MapDifference { MapDifference(from: old, to: new) }

  /// The difference of a set.
  package var set: SetDifference { SetDifference(from: old, to: new, of: property) }
}
