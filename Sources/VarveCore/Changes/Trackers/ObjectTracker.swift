import VarveEncoding
package import VarveStorage

/// Observes one object.
package struct ObjectTracker: ChangeTracker {
  private let model: ClassDescription
  private let id: UInt64
  /// nil: the properties of the object itself.
  private let paths: [[String]]?

  /// - Parameters:
  ///   - model: the object's class.
  ///   - id: the object's id.
  ///   - paths: the key paths to watch; nil for every property of the object itself.
  package init(_ model: ClassDescription, id: UInt64, paths: [[String]]?) {
    self.model = model
    self.id = id
    self.paths = paths
  }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool { true }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<ObjectChange> {
    guard let schema = difference.schema.schema(named: model.name) else { return .none }
    let own = try difference.objects(ofClass: schema.id)
    if own.deleted.containsAscending(id) {
      return .end(
        ObjectChange(
          propertyIDs: [], isDeleted: true, old: difference.old, new: difference.new))
    }
    let properties = try changedProperties(schema, own, difference)
    guard !properties.isEmpty else { return .none }
    return .change(
      ObjectChange(
        propertyIDs: properties, isDeleted: false, old: difference.old, new: difference.new))
  }

  private func changedProperties(
    _ schema: ClassSchema, _ own: ObjectChanges, _ difference: VersionDifference
  ) throws(Failure) -> [UInt32] {
    let changed = own.modification(of: id)?.propertyIDs ?? []
    guard let paths else { return changed }
    // Path by path: what changed is told by the property that the path begins with.
    var found: Set<UInt32> = []
    let affected = AffectedObjects(difference)
    for path in paths {
      guard let name = path.first, let property = schema.property(named: name),
        !found.contains(property.id)
      else { continue }
      if path.count == 1 {
        if changed.contains(property.id) { found.insert(property.id) }
        continue
      }
      guard let tree = try WatchedPath.tree([path], of: model, in: difference.schema) else {
        continue
      }
      if try affected.ids(of: schema, .paths(tree)).containsAscending(id) {
        found.insert(property.id)
      }
    }
    return schema.properties.map(\.id).filter(found.contains)
  }
}

extension [UInt64] {
  /// Whether an id is among ascending ids.
  ///
  /// - Complexity: O(log n).
  func containsAscending(_ id: UInt64) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == id
  }
}
