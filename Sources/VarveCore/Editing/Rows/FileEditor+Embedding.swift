import VarveEncoding
import VarveStorage

/// Embedded objects: each stands in one place, a property, a list or a dictionary of another object, and
/// goes when that place lets it go.
///
/// Who owns an embedded object is told by its backlink, of which it has one. An operation that takes it
/// out of its place notes it as an orphan, and one that puts it back takes that away, so that the elements
/// of a list may be put in another order; what is an orphan when the operation ends is deleted.
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

  /// Refuses a value that would give an embedded object a second place.
  ///
  /// - Throws: `.alreadyEmbedded`.
  func checkPlace(
    for value: Value, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) {
    guard case .link(let classID, let id) = value, isEmbedded(classID: classID),
      try hasPlace(RowKey(classID: classID, objectID: id))
    else { return }
    throw alreadyEmbedded(value, schema.name, property.name)
  }

  /// As ``checkPlace(for:_:_:)``, for elements of a list.
  ///
  /// `range`: the places that are emptied by the same operation.
  func checkPlaces(
    for elements: some Collection<Value>, in collection: EditedCollection,
    leaving range: Range<Int> = 0..<0
  ) throws(Failure) {
    guard holdsEmbedded(collection) else { return }
    var leaving: Set<Value> = []
    if !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count(collection) {
      for index in range { leaving.insert(try element(collection, at: index)) }
    }
    try checkPlaces(for: elements, in: collection, leaving: leaving)
  }

  /// As ``checkPlace(for:_:_:)``, for entries of a dictionary.
  ///
  /// `replacing`: whether other keys are removed by the same operation.
  func checkPlaces(
    for entries: [(key: String, value: Value)], in collection: EditedCollection, replacing: Bool
  ) throws(Failure) {
    guard holdsEmbedded(collection) else { return }
    var kept: [[UInt8]: Value] = [:]
    for (key, value) in entries { kept[Array(key.utf8)] = value }
    var leaving: Set<Value> = []
    for (key, value) in try storage.dictionaryEntries(
      collection.slot, collection.property)
    {
      // What stands under a key that is not given stays there.
      if replacing || kept[Array(key.utf8)] != nil { leaving.insert(value) }
    }
    try checkPlaces(for: kept.values, in: collection, leaving: leaving)
  }

  /// Takes the embedded objects that are about to be replaced out of a dictionary, so that they may get one another's
  /// places.
  func emptyPlaces(
    for entries: [(key: String, value: Value)], in collection: EditedCollection
  ) throws(Failure) {
    guard holdsEmbedded(collection) else { return }
    for (key, value) in entries {
      guard let old = try self.value(collection, forKey: key), old != value else { continue }
      try setValue(.null, collection, forKey: key)
    }
  }

  private func checkPlaces(
    for values: some Collection<Value>, in collection: EditedCollection, leaving: Set<Value>
  ) throws(Failure) {
    var seen: Set<Value> = []
    for value in values where !value.isNull {
      guard seen.insert(value).inserted else {
        throw alreadyEmbedded(value, collection.schema.name, collection.property.name)
      }
      if !leaving.contains(value) {
        try checkPlace(for: value, collection.property, collection.schema)
      }
    }
  }

  private func holdsEmbedded(_ collection: EditedCollection) -> Bool {
    isEmbedded(classID: collection.property.linkedClassID)
  }

  private func hasPlace(_ object: RowKey) throws(Failure) -> Bool {
    try !incomingLinks(to: object).isEmpty
  }

  // MARK: During a change

  /// Notes that an embedded object gets a place, or loses the one that it has.
  ///
  /// - Throws: `.alreadyEmbedded` when it has one already.
  func notePlace(
    of object: RowKey, isTaken: Bool, origin: RowKey, property: UInt32
  ) throws(Failure) {
    guard isTaken else {
      orphans.insert(object)
      return
    }
    guard try !hasPlace(object) else {
      let schema = try classSchema(origin.classID)
      throw alreadyEmbedded(
        .link(classID: object.classID, objectID: object.objectID), schema.name,
        schema.property(id: property)?.name)
    }
    orphans.remove(object)
    if isEmbedded(origin) { nestedPlaces.insert(object) }
  }

  /// Refuses embedded objects that got places in other ones so deep that the tree cannot be exported.
  ///
  /// At the end of an operation: until then objects may have places in one that has none.
  /// - Throws: `.invalidInput`.
  /// - Complexity: O(the objects, and those above them), with a look-up for each.
  func checkNestedPlaces() throws(Failure) {
    let nested = nestedPlaces
    nestedPlaces.removeAll()
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

  /// Deletes the embedded objects that have lost their places, then what these embed, to any depth.
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
      "An embedded object with two parents: it has a place, and cannot get another.",
      className: className, propertyName: propertyName, value: text(of: value))
  }
}
