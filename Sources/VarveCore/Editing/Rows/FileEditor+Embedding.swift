import VarveEncoding
import VarveStorage

/// Embedded objects: each has exactly one parent, a property, a list or a dictionary of another
/// object, and is deleted when it is detached from it.
///
/// The parent of an embedded object is found through its only backlink. An operation that detaches
/// the object records it as an orphan; attaching it again removes the record, so the elements of a
/// list can be reordered. Objects that are orphans when the operation ends are deleted.
extension FileEditor {
  /// Whether an object is embedded.
  @inline(__always)
  func isEmbedded(_ object: RowKey) -> Bool { isEmbedded(classID: object.classID) }

  /// Whether a value is a link to an embedded object.
  func isEmbedded(_ value: Value) -> Bool {
    guard case .link(let classID, _) = value else { return false }
    return isEmbedded(classID: classID)
  }

  @inline(__always)
  private func isEmbedded(classID: UInt32) -> Bool {
    let embedded = schema.embeddedClasses
    return _slowPath(!embedded.isEmpty) && embedded.contains(classID)
  }

  // MARK: Before a change

  /// Checks that a value does not give an embedded object a second parent.
  ///
  /// - Throws: `.alreadyEmbedded`.
  func checkParent(
    for value: Value, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) {
    guard case .link(let classID, let id) = value, isEmbedded(classID: classID),
      try hasParent(RowKey(classID: classID, objectID: id))
    else { return }
    throw alreadyEmbedded(value, schema.name, schema.declaredName(of: property))
  }

  /// Checks the elements of a list. See ``checkParent(for:_:_:)``.
  ///
  /// `range`: the indexes of the elements that the same operation removes.
  func checkParents(
    for elements: some Collection<Value>, in collection: EditedCollection,
    leaving range: Range<Int> = 0..<0
  ) throws(Failure) {
    guard containsEmbedded(collection) else { return }
    var leaving: Set<Value> = []
    if !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count(collection) {
      for index in range { leaving.insert(try element(collection, at: index)) }
    }
    try checkParents(for: elements, in: collection, leaving: leaving)
  }

  /// Checks the entries of a dictionary. See ``checkParent(for:_:_:)``.
  ///
  /// `replacing`: whether the same operation removes all other keys.
  func checkParents(
    for entries: [(key: String, value: Value)], in collection: EditedCollection, replacing: Bool
  ) throws(Failure) {
    guard containsEmbedded(collection) else { return }
    var kept: [[UInt8]: Value] = [:]
    for (key, value) in entries { kept[Array(key.utf8)] = value }
    var leaving: Set<Value> = []
    for (key, value) in try storage.dictionaryEntries(
      try content(of: collection), collection.property)
    {
      // Values of keys that are not given remain.
      if replacing || kept[Array(key.utf8)] != nil { leaving.insert(value) }
    }
    try checkParents(for: kept.values, in: collection, leaving: leaving)
  }

  /// Detaches the embedded objects that are about to be replaced from a dictionary, so that they
  /// can exchange their keys.
  func detachReplaced(
    for entries: [(key: String, value: Value)], in collection: EditedCollection
  ) throws(Failure) {
    guard containsEmbedded(collection) else { return }
    for (key, value) in entries {
      guard let old = try self.value(collection, forKey: key), old != value else { continue }
      try setValue(.null, collection, forKey: key)
    }
  }

  private func checkParents(
    for values: some Collection<Value>, in collection: EditedCollection, leaving: Set<Value>
  ) throws(Failure) {
    var seen: Set<Value> = []
    for value in values where !value.isNull {
      guard seen.insert(value).inserted else {
        throw alreadyEmbedded(value, collection.schema.name, collection.declaredName)
      }
      if !leaving.contains(value) {
        try checkParent(for: value, collection.property, collection.schema)
      }
    }
  }

  private func containsEmbedded(_ collection: EditedCollection) -> Bool {
    isEmbedded(classID: collection.property.linkedClassID)
  }

  private func hasParent(_ object: RowKey) throws(Failure) -> Bool {
    try !incomingLinks(to: object).isEmpty
  }

  // MARK: During a change

  /// Records that an embedded object is attached to a parent, or detached from it.
  ///
  /// - Throws: `.alreadyEmbedded` when it already has a parent.
  func noteParent(
    of object: RowKey, isAttached: Bool, origin: RowKey, property: UInt32
  ) throws(Failure) {
    guard isAttached else {
      orphans.insert(object)
      return
    }
    guard try !hasParent(object) else {
      let schema = try classSchema(origin.classID)
      throw alreadyEmbedded(
        .link(classID: object.classID, objectID: object.objectID), schema.name,
        schema.property(id: property)?.name)
    }
    orphans.remove(object)
    if isEmbedded(origin) { nestedEmbedded.insert(object) }
  }

  /// Checks that embedded objects attached to other embedded objects are not nested too deeply to
  /// be exported.
  ///
  /// Called at the end of an operation: until then objects may be attached to one that is detached
  /// itself.
  /// - Throws: `.invalidInput`.
  /// - Complexity: O(objects and their ancestors), with one lookup for each.
  func checkEmbeddingDepths() throws(Failure) {
    let nested = nestedEmbedded
    nestedEmbedded.removeAll()
    var depths: [RowKey: Int] = [:]
    for object in nested {
      var above: [RowKey] = []
      var key = object
      while isEmbedded(key), depths[key] == nil, above.count <= EmbeddedTree.maximumDepth {
        above.append(key)
        guard let parent = try incomingLinks(to: key).first?.origin else { break }
        key = parent
      }
      var depth = depths[key] ?? 0
      for key in above.reversed() {
        depth += 1
        depths[key] = depth
      }
      guard depth <= EmbeddedTree.maximumDepth else {
        throw EmbeddedTree.tooDeep(try classSchema(object.classID).name)
      }
    }
  }

  /// Deletes the embedded objects that have lost their parents, then the objects embedded in them,
  /// to any depth.
  func deleteOrphans() throws(Failure) {
    while !orphans.isEmpty {
      let lost = orphans
      orphans.removeAll()
      try delete(lost)
    }
  }

  private func alreadyEmbedded(
    _ value: Value, _ className: String, _ propertyName: String?
  ) -> Failure {
    Failure(
      .alreadyEmbedded,
      "An embedded object cannot have two parents.",
      className: className, propertyName: propertyName, value: text(of: value))
  }
}
