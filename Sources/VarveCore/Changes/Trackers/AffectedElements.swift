import VarveEncoding
import VarveStorage

/// The elements of a collection of mixed values that count as changed because objects changed:
/// links to those objects, and nested collections that contain such links at any depth. Elements of
/// a set are never affected.
struct AffectedElements {
  private var objects: Set<RowKey> = []
  private var nestedIDs: Set<UInt64> = []

  var isEmpty: Bool { objects.isEmpty && nestedIDs.isEmpty }

  /// - Parameters:
  ///   - collection: The collection.
  ///   - content: The collection's content in the new version.
  ///   - difference: The difference to the new version.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(classes, plus objects affected in any class · log n).
  init(
    _ collection: StoredCollection, _ content: CollectionContent, _ difference: VersionDifference
  ) throws(Failure) {
    let kind = collection.property.kind
    guard kind.type == .mixed, kind.collection != .set, !content.isEmpty else { return }
    let nestedID = collection.nested?.id ?? 0
    var links = IncomingLinkReader(difference.new)
    for schema in difference.schema.classes {
      for id in try AffectedObjects(difference).ids(of: schema, .usual) {
        let target = RowKey(classID: schema.id, objectID: id)
        var holders: [UInt64] = []
        try links.forEach(
          to: target, from: collection.schema.id, property: collection.property.id,
          originID: collection.ownerID
        ) { holders.append($0.key.nestedID) }
        for holder in holders {
          if holder == nestedID { objects.insert(target) }
          if let id = try difference.new.ancestor(of: holder, in: nestedID) {
            nestedIDs.insert(id)
          }
        }
      }
    }
  }

  func contains(_ value: Value) -> Bool {
    switch value {
    case .link(let classID, let id): objects.contains(RowKey(classID: classID, objectID: id))
    case .nested(_, let slot): nestedIDs.contains(slot.id)
    default: false
    }
  }
}

extension Snapshot {
  /// Returns the direct child of a collection that is, or contains at any depth, a nested
  /// collection.
  ///
  /// - Parameter parentID: The id of a nested collection; 0 for the property's own collection.
  fileprivate func ancestor(
    of nestedID: UInt64, in parentID: UInt64
  ) throws(Failure) -> UInt64? {
    var id = nestedID
    for _ in 0..<NestedContent.maximumDepth {
      guard id != 0, id != parentID, let record = try collectionRecord(id) else { return nil }
      if record.parentID == parentID { return id }
      id = record.parentID
    }
    return nil
  }
}

extension StoredCollection {
  /// Returns the indexes of the affected elements of a list.
  ///
  /// - Complexity: O(n).
  func indexes(
    of affected: AffectedElements, in content: CollectionContent, _ snapshot: Snapshot
  ) -> IndexRanges {
    var indexes = IndexRanges()
    let list = ListDirectory(
      content, isNested: true, snapshot: snapshot, format: ListElementFormat(property.kind))
    for index in 0..<list.count {
      if case .value(let value) = property.stored(list, at: index), affected.contains(value) {
        indexes.append(index)
      }
    }
    return indexes
  }
}
