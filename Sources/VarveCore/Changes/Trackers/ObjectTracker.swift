import VarveEncoding
package import VarveStorage

/// Observes one object.
package struct ObjectTracker: ChangeTracker {
  private let model: ClassDescription
  private let id: UInt64
  /// The key paths to watch; nil for the properties of the object itself.
  private let paths: [[String]]?
  private let store: StoreFile
  /// Indicates whether the write that created the object was rolled back; another object may then
  /// get its id.
  private let outcome: TransactionOutcome?

  /// - Parameters:
  ///   - model: The object's class.
  ///   - id: The object's id.
  ///   - paths: The key paths to watch; nil for every property of the object itself.
  ///   - store: The store that contains the object.
  ///   - outcome: The transaction outcome of the object's handle.
  package init(
    _ model: ClassDescription, id: UInt64, paths: [[String]]?, of store: StoreFile,
    outcome: TransactionOutcome? = nil
  ) {
    self.outcome = outcome
    self.model = model
    self.id = id
    self.paths = paths
    self.store = store
  }

  package var subject: String { "an object of \(model.name)" }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    guard outcome?.isRolledBack != true, let schema = store.schema.schema(named: model.name) else {
      return false
    }
    return try snapshot.row(schema, id) != nil
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<ObjectChange> {
    guard let schema = difference.schema.schema(named: model.name) else { return .none }
    let own = try difference.objects(ofClass: schema.id)
    if own.deleted.containsAscending(id) || outcome?.isRolledBack == true {
      return .end(
        ObjectChange(
          propertyNames: [], old: difference.old, new: difference.new))
    }
    let names = try changedProperties(schema, own, difference)
    guard !names.isEmpty else { return .none }
    return .change(
      ObjectChange(
        propertyNames: names, old: difference.old, new: difference.new))
  }

  private func changedProperties(
    _ schema: ClassSchema, _ own: ObjectChanges, _ difference: VersionDifference
  ) throws(Failure) -> [String] {
    let changed = Set(schema.names(ofProperties: own.modification(of: id)?.propertyIDs ?? []))
    guard let paths else {
      guard !changed.isEmpty else { return [] }
      return model.properties.filter { changed.contains($0.name) }.map(\.alias)
    }
    // Path by path: a change is reported by the first property of the path.
    var found: Set<String> = []
    for path in paths {
      guard let first = path.first, !found.contains(first) else { continue }
      let isOwn = changed.contains(model.properties[try model.slot(named: first)].name)
      if try isOwn ? true : hasChanged(path, schema, difference) { found.insert(first) }
    }
    return found.isEmpty ? [] : model.properties.map(\.alias).filter(found.contains)
  }

  /// Whether a value changed along a path to other objects.
  private func hasChanged(
    _ path: [String], _ schema: ClassSchema, _ difference: VersionDifference
  ) throws(Failure) -> Bool {
    guard let tree = try WatchedPath.tree([path], of: model, in: difference.schema),
      !tree.steps.isEmpty
    else { return false }
    if tree.isToOne { return try AffectedObjects(difference).contains(id, tree) }
    return try AffectedObjects(difference).ids(of: schema, .paths(tree)).containsAscending(id)
  }
}
