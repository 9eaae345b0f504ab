import VarveEncoding
import VarveStorage

/// Finds the objects that count as changed between two versions because they, or objects that they
/// link to, changed.
///
/// The search runs backwards, from the objects that changed to the objects that link to them, level
/// by level on sets. Its cost depends on the number of changes and of links to changed objects.
/// Links of the new version are followed. A removed link is a change of the object that had it.
struct AffectedObjects {
  /// Identifies the affected objects of a class.
  struct Key: DifferenceKey {
    typealias Result = [UInt64]

    let classID: UInt32
    let paths: WatchedPaths
  }

  private let difference: VersionDifference

  init(_ difference: VersionDifference) { self.difference = difference }

  /// Returns the ids of the affected objects of a class, ascending. They may include ids of objects
  /// that only the new version has.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(objects changed in the reachable classes, plus links to the affected objects
  ///   through the properties on the paths); paid once for each class and paths.
  func ids(of schema: ClassSchema, _ paths: WatchedPaths) throws(Failure) -> [UInt64] {
    if case .paths(let path) = paths, path.isEmpty { return [] }
    let key = Key(classID: schema.id, paths: paths)
    return try difference.result(for: key) { () throws(Failure) in
      switch paths {
      case .linked(let depth): try linked(to: schema, depth: depth)
      case .paths(let path): try along(path)
      }
    }
  }

  /// Returns the ids of the affected objects of a class along one tree of paths, or no ids without
  /// a tree. See ``ids(of:_:)``.
  func ids(of schema: ClassSchema, along path: WatchedPath?) throws(Failure) -> [UInt64] {
    guard let path else { return [] }
    return try ids(of: schema, .paths(path))
  }

  /// Whether one object is affected along paths of to-one links, which are followed forwards: other
  /// objects that link to changed objects cost nothing.
  ///
  /// - Precondition: `path.isToOne`.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(links of the paths), plus the objects changed in their classes.
  func contains(_ id: UInt64, _ path: WatchedPath) throws(Failure) -> Bool {
    if !path.propertyIDs.isEmpty,
      let changed = try difference.objects(ofClass: path.schema.id).modification(of: id),
      changed.propertyIDs.contains(where: path.propertyIDs.contains)
    {
      return true
    }
    for step in path.steps {
      for target in try difference.new.linkTargets(of: id, path.schema, step.property)
      where try contains(target, step.next) { return true }
    }
    return false
  }

  // MARK: Any links

  private func linked(to schema: ClassSchema, depth: Int) throws(Failure) -> [UInt64] {
    let reach = ClassReach(from: schema, depth: depth, in: difference.schema)
    var affected: [UInt32: [UInt64]] = [:]
    for classID in reach.classIDs {
      let modified = try difference.objects(ofClass: classID).modified
      if !modified.isEmpty { affected[classID] = modified.map(\.id) }
    }
    var level = affected
    var links = IncomingLinkReader(difference.new)
    for left in stride(from: depth - 1, through: 0, by: -1) where !level.isEmpty {
      var reached: [UInt32: [UInt64]] = [:]
      for (classID, ids) in level {
        for origin in reach.origins(of: classID, within: left) {
          for id in ids {
            try links.forEach(
              to: RowKey(classID: classID, objectID: id), from: origin.classID,
              property: origin.propertyID
            ) { reached[origin.classID, default: []].append($0.key.originID) }
          }
        }
      }
      level = [:]
      for (classID, ids) in reached {
        let previous = affected[classID] ?? []
        let new = ids.ascendingOnce.without(ascending: previous)
        if new.isEmpty { continue }
        level[classID] = new
        affected[classID] = (previous + new).ascendingOnce
      }
    }
    return affected[schema.id] ?? []
  }

  // MARK: Paths

  private func along(_ path: WatchedPath) throws(Failure) -> [UInt64] {
    var affected: [UInt64] = []
    if !path.propertyIDs.isEmpty {
      for modification in try difference.objects(ofClass: path.schema.id).modified
      where modification.propertyIDs.contains(where: path.propertyIDs.contains) {
        affected.append(modification.id)
      }
    }
    for step in path.steps {
      let reached = try along(step.next)
      if step.isLinking {
        try addTargets(of: reached, step, to: &affected)
        try addRelinked(path.schema, step, to: &affected)
      } else {
        try addOrigins(of: reached, path.schema, step, to: &affected)
      }
    }
    return affected.ascendingOnce
  }

  /// Adds the objects that link to the given objects through a property.
  private func addOrigins(
    of targets: [UInt64], _ schema: ClassSchema, _ step: WatchedPath.Step,
    to affected: inout [UInt64]
  ) throws(Failure) {
    var links = IncomingLinkReader(difference.new)
    for id in targets {
      try links.forEach(
        to: RowKey(classID: step.next.schema.id, objectID: id), from: schema.id,
        property: step.property.id
      ) { affected.append($0.key.originID) }
    }
  }

  /// Adds the objects to which the given objects link through a property.
  private func addTargets(
    of origins: [UInt64], _ step: WatchedPath.Step, to affected: inout [UInt64]
  ) throws(Failure) {
    for id in origins {
      affected += try difference.new.linkTargets(of: id, step.next.schema, step.property)
    }
  }

  /// Adds the objects whose incoming links changed.
  private func addRelinked(
    _ schema: ClassSchema, _ step: WatchedPath.Step, to affected: inout [UInt64]
  ) throws(Failure) {
    guard difference.old.mayDiffer(from: difference.new, in: .backlinks) else { return }
    var prefix = OrderedKey()
    prefix.append(uint32: schema.id)
    try prefix.withPrefixRange { (range) throws(Failure) in
      var changes = try difference.old.differences(to: difference.new, in: .backlinks, range)
      while let change = try changes.nextEntry() {
        let key = try Failure.decoding(
          "A backlink is damaged.", try BacklinkKey(decoding: change.key))
        if key.originClass == step.next.schema.id, key.originProperty == step.property.id {
          affected.append(key.targetID)
        }
      }
    }
  }
}

extension [UInt64] {
  /// The same ids, ascending, without duplicates.
  ///
  /// - Complexity: O(n log n); O(n) if the ids ascend already.
  fileprivate var ascendingOnce: [UInt64] {
    var ids: [UInt64] = []
    ids.reserveCapacity(count)
    for id in sorted() where ids.last != id { ids.append(id) }
    return ids
  }

  /// Returns the ids that are not in another array; both ascend.
  ///
  /// - Complexity: O(n) in both.
  fileprivate func without(ascending others: [UInt64]) -> [UInt64] {
    if others.isEmpty { return self }
    var position = 0
    return filter { id in
      while position < others.count, others[position] < id { position += 1 }
      return position == others.count || others[position] != id
    }
  }
}
