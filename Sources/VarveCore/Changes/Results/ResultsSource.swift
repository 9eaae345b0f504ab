import VarveEncoding
import VarveStorage

/// The list, map, set or linking objects from which results are taken, in any version.
enum ResultsSource: Sendable {
  case list(CollectionIdentity)
  case dictionary(CollectionIdentity)
  case set(CollectionIdentity)
  case linking(LinkingSource)

  /// The difference between the objects of two versions. An element at another position, and
  /// another object at the same position, are each a deletion and an insertion.
  struct Changes {
    var deletions = IndexRanges()
    var insertions = IndexRanges()
    /// The inserted objects, in the order of `insertions`.
    var objects: [UInt64] = []

    var count: Int { deletions.count + insertions.count }
  }

  /// - Returns: nil for a whole class, or a part of one.
  init?(_ query: ElementQuery) {
    switch query.source {
    case .all: return nil
    case .collection(let collection):
      switch collection.kind {
      case .list, .none: self = .list(collection)
      case .dictionary: self = .dictionary(collection)
      case .set: self = .set(collection)
      }
    case .linking(let source): self = .linking(source)
    case .query(let inner): self.init(inner)
    }
  }

  /// Returns the changes of the source.
  ///
  /// - Parameters:
  ///   - elements: The objects of the old version.
  ///   - schema: The class of the objects.
  ///   - difference: The difference to the new version.
  /// - Returns: nil if the elements are not the elements of the old version.
  /// - Throws: `.corrupted`.
  /// - Complexity: the cost of `ListDifference` for a list, of `SetDifference` for a set; O(changed
  ///   links) for linking objects; O(n) for a map that changed.
  func changes(
    of elements: PositionedElements, _ schema: ClassSchema, _ difference: VersionDifference
  ) throws(Failure) -> Changes? {
    switch self {
    case .list(let list): try listChanges(list, difference)
    case .dictionary(let map): try dictionaryChanges(map, elements, difference)
    case .set(let set): try setChanges(set, difference)
    case .linking(let source): try linkingChanges(source, elements, schema, difference)
    }
  }

  /// Whether the object that owns the list, map or set, or that is the target of the links, exists.
  func exists(in snapshot: Snapshot, _ file: FileSchema) throws(Failure) -> Bool {
    switch self {
    case .list(let collection), .dictionary(let collection), .set(let collection):
      if collection.isRolledBack { return false }
      return try collection.stored(in: file)?.content(in: snapshot) != nil
    case .linking(let source):
      guard !source.isRolledBack, let target = file.schema(named: source.model.name) else {
        return false
      }
      return try snapshot.row(target, source.id) != nil
    }
  }

  // MARK: Lists, maps and sets

  /// Returns a collection with its contents in the two versions, or nil if they are the same.
  private func changed(
    _ collection: CollectionIdentity, _ difference: VersionDifference
  ) throws(Failure) -> (
    stored: StoredCollection, before: CollectionContent, after: CollectionContent
  )? {
    guard !collection.isRolledBack, let stored = collection.stored(in: difference.schema) else {
      return nil
    }
    let before = try stored.countedContent(in: difference.old) ?? .none
    let after = try stored.countedContent(in: difference.new) ?? .none
    return stored.mayDiffer(before, after) ? (stored, before, after) : nil
  }

  private func listChanges(
    _ collection: CollectionIdentity, _ difference: VersionDifference
  ) throws(Failure) -> Changes {
    guard let (list, before, after) = try changed(collection, difference) else { return Changes() }
    return try list.replacements(
      try list.indexChanges(difference, before, after), after, in: difference.new)
  }

  private func dictionaryChanges(
    _ collection: CollectionIdentity, _ elements: PositionedElements,
    _ difference: VersionDifference
  ) throws(Failure) -> Changes {
    guard let (map, _, after) = try changed(collection, difference) else { return Changes() }
    let objects = try difference.new.dictionaryTargets(of: after, map.property)
    let found = IndexChanges(from: elements.objects, to: objects)
    return Changes(
      deletions: found.deletions, insertions: found.insertions,
      objects: found.insertions.map { objects[$0] })
  }

  private func setChanges(
    _ collection: CollectionIdentity, _ difference: VersionDifference
  ) throws(Failure) -> Changes {
    guard let (set, before, after) = try changed(collection, difference) else { return Changes() }
    let found = try set.setChanges(difference, before, after)
    var changes = Changes(
      deletions: found.indexes.deletions, insertions: found.indexes.insertions)
    for case .link(_, let id) in found.inserted { changes.objects.append(id) }
    return changes
  }
}
