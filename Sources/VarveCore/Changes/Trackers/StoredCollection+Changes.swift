import VarveEncoding
import VarveStorage

extension StoredCollection {
  /// Whether the collection may differ between two versions.
  func mayDiffer(_ before: CollectionContent, _ after: CollectionContent) -> Bool {
    nested != nil || !before.isIdentical(to: after)
  }

  /// Returns the affected objects that are elements in the new version.
  ///
  /// - Complexity: O(affected objects · log n).
  func affectedElements(
    _ difference: VersionDifference, in content: CollectionContent, _ watched: WatchedPaths
  ) throws(Failure) -> [UInt64] {
    guard let elementSchema, let links, content.count > 0 else { return [] }
    let affected = try AffectedObjects(difference).ids(of: elementSchema, watched)
    var members: [UInt64] = []
    for id in affected {
      let count = try Failure.translating(
        try links.count(of: id, in: difference.new))
      if count > 0 { members.append(id) }
    }
    return members
  }

  /// Returns the changes of a list or a set.
  func indexChanges(
    _ difference: VersionDifference, _ before: CollectionContent, _ after: CollectionContent
  ) throws(Failure) -> IndexChanges {
    if property.kind.collection == .set {
      return try setChanges(difference, before, after).indexes
    }
    return try Failure.translating(
      try CollectionDifference(of: property, from: before, to: after)
        .list(links: links).changes(from: difference.old, to: difference.new))
  }

  /// Returns the changes of a map.
  func keyChanges(
    _ difference: VersionDifference, _ before: CollectionContent, _ after: CollectionContent
  ) throws(Failure) -> KeyChanges {
    try Failure.translating(
      try CollectionDifference(of: property, from: before, to: after)
        .map.changes(from: difference.old, to: difference.new))
  }

  /// Returns the changes of a set.
  func setChanges(
    _ difference: VersionDifference, _ before: CollectionContent, _ after: CollectionContent
  ) throws(Failure) -> SetChanges {
    try CollectionDifference(of: property, from: before, to: after)
      .set.changes(from: difference.old, to: difference.new)
  }

  /// The counts of the links to the elements; nil for a collection of values.
  private var links: ListLinks? {
    elementSchema.map {
      ListLinks(
        targetClass: $0.id, originClass: schema.id, originProperty: property.id, originID: ownerID)
    }
  }

  /// Returns the objects that the changes of a list remove and insert. A modified element counts as
  /// replaced by another object.
  ///
  /// - Parameters:
  ///   - changes: The changes of the list.
  ///   - after: The list's content in the new version.
  ///   - snapshot: The new version.
  /// - Returns: The same changes without modifications.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(k log n) for k changes.
  func replacements(
    _ changes: IndexChanges, _ after: CollectionContent, in snapshot: Snapshot
  ) throws(Failure) -> ResultsSource.Changes {
    var replacements = ResultsSource.Changes()
    replacements.deletions = changes.deletions.union(changes.modifications)
    replacements.insertions = changes.insertions.union(changes.newModifications)
    let list = list(after, in: snapshot)
    replacements.objects = replacements.insertions.compactMap { list.bits(at: $0) }
    guard replacements.objects.count == replacements.insertions.count else {
      throw Failure(snapshot.damaged("A list's nodes are damaged."))
    }
    return replacements
  }
}
