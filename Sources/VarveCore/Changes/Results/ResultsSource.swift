import VarveEncoding
import VarveStorage

/// The list, map, set or linking objects that results come from, in any version.
///
/// Thread safety: immutable.
enum ResultsSource: Sendable {
  case list(CollectionIdentity)
  case dictionary(CollectionIdentity)
  case set(CollectionIdentity)
  case linking(LinkingSource)

  /// What leads from the objects of one version to those of another: what stands at another place, or is another
  /// object, is a deletion and an insertion.
  struct Changes {
    var deletions = IndexRanges()
    var insertions = IndexRanges()
    /// The objects that are put in, in the order of `insertions`.
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

  /// What changed in the source.
  ///
  /// - Parameters:
  ///   - elements: the objects of the old version.
  ///   - schema: the class of the objects.
  ///   - difference: leads to the new version.
  /// - Returns: nil if the elements are not those of the old version.
  /// - Throws: `.corrupted`.
  /// - Complexity: for a list as `ListDifference`, for a set as `SetDifference`; for linking objects O(changed links); O(n) for a map that changed.
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

  /// Whether the object exists that the list, map or set belongs to, or that is linked to.
  func exists(in snapshot: Snapshot, _ file: FileSchema) throws(Failure) -> Bool {
    switch self {
    case .list(let collection), .dictionary(let collection), .set(let collection):
      if collection.isRolledBack { return false }
      return try collection.stored(in: file)?.slot(in: snapshot) != nil
    case .linking(let source):
      guard !source.isRolledBack, let target = file.schema(named: source.model.name) else {
        return false
      }
      return try snapshot.row(target, source.id) != nil
    }
  }

  // MARK: Lists, maps and sets

  /// A collection with its slots in the two versions; nil if it is the same in both.
  private func changed(
    _ collection: CollectionIdentity, _ difference: VersionDifference
  ) throws(Failure) -> (stored: StoredCollection, before: CollectionSlot, after: CollectionSlot)? {
    guard !collection.isRolledBack, let stored = collection.stored(in: difference.schema) else {
      return nil
    }
    let before = try stored.countedSlot(in: difference.old) ?? .none
    let after = try stored.countedSlot(in: difference.new) ?? .none
    return before == after ? nil : (stored, before, after)
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
