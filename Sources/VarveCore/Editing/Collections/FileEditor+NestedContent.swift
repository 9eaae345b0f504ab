package import VarveEncoding
import VarveStorage

/// Storing values with their nested collections.
extension FileEditor {
  /// Returns the stored form of a value that is about to be assigned to a property. Its collections
  /// are stored first.
  package func stored(
    _ content: NestedContent, _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> Value {
    if case .value(let value) = content { return value }
    let key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: id), propertyID: property.id)
    return try store(content, NestedOwner(schema: schema, property: property, key: key))
  }

  /// Returns the stored form of a value that is about to be inserted into a collection. Its
  /// collections are stored first.
  package func stored(
    _ content: NestedContent, in collection: EditedCollection
  ) throws(Failure) -> Value {
    if case .value(let value) = content { return value }
    // A list that never had an element is assigned its id.
    try beginChange(collection)
    return try store(
      content,
      NestedOwner(
        schema: collection.schema, property: collection.property, key: collection.key,
        depth: collection.location?.depth ?? 0))
  }

  /// The location for a new nested collection.
  private struct NestedOwner {
    let schema: ClassSchema
    let property: StoredProperty
    /// The key of the enclosing collection, or of the property.
    var key: CollectionKey
    /// The number of enclosing nested collections.
    var depth = 0
  }

  /// A nested collection that has an id and a record, but no elements yet.
  private struct EmptyNested {
    let content: NestedContent
    let collection: EditedCollection
    let owner: NestedOwner
  }

  /// Stores a collection and the collections in it iteratively rather than recursively.
  private func store(_ content: NestedContent, _ owner: NestedOwner) throws(Failure) -> Value {
    var waiting: [EmptyNested] = []
    let value = try begin(content, owner, &waiting)
    var index = 0
    while index < waiting.count {
      let next = waiting[index]
      try fill(next.collection, with: next.content, next.owner, &waiting)
      index += 1
    }
    return value
  }

  /// Returns the stored form of a value for its enclosing collection. A collection is assigned an
  /// id and queued.
  private func begin(
    _ content: NestedContent, _ owner: NestedOwner, _ waiting: inout [EmptyNested]
  ) throws(Failure) -> Value {
    let kind: CollectionKind
    switch content {
    case .value(let value): return value
    case .list: kind = .list
    case .dictionary: kind = .dictionary
    }
    guard owner.depth < NestedContent.maximumDepth else {
      throw NestedContent.tooDeep(
        owner.schema.name, owner.schema.declaredName(of: owner.property))
    }
    let collection = try newNested(kind, owner)
    var inner = owner
    inner.key = collection.key
    inner.depth += 1
    waiting.append(EmptyNested(content: content, collection: collection, owner: inner))
    return .nested(
      kind, CollectionSlot(id: collection.slot.id, revision: collection.slot.revision, count: 0))
  }

  /// Creates a nested collection. It is not cached: it is written as soon as it is filled.
  private func newNested(
    _ kind: CollectionKind, _ owner: NestedOwner
  ) throws(Failure) -> EditedCollection {
    let property = owner.property.nested(kind)
    let id = newCollectionID()
    CollectionRecord.encodeKey(collectionID: id, into: &scratchKey)
    CollectionRecord(
      kind: property.kind, ownerClassID: owner.key.owner.classID,
      ownerObjectID: owner.key.owner.objectID, ownerPropertyID: owner.key.propertyID,
      parentID: owner.key.nestedID
    ).encode(into: &scratchValue)
    try putScratch(.collections, append: true)
    var key = owner.key
    key.nestedID = id
    let collection = EditedCollection(
      key: key, schema: owner.schema, property: property,
      slot: CollectionSlot(id: id, revision: 1, count: 0), location: NestedLocation(nil))
    collection.isChanged = true
    return collection
  }

  private func fill(
    _ collection: EditedCollection, with content: NestedContent, _ owner: NestedOwner,
    _ waiting: inout [EmptyNested]
  ) throws(Failure) {
    switch content {
    case .value: break
    case .list(let elements):
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try begin(element, owner, &waiting)) }
      let list = ListEditor(
        CollectionContent(collection.slot), transaction: storage, format: .variable)
      collection.list = list
      try insert(values, collection, at: 0)
      try change { () throws(StorageError) in try list.flush() }
      collection.list = nil
    case .dictionary(let entries):
      for (key, content) in entries {
        try DictionaryRules.check(key, collection)
        try setValue(try begin(content, owner, &waiting), collection, forKey: key)
      }
    }
  }

  // MARK: Comparing

  /// Whether a stored value equals some content.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - value: The value, in the property or at any depth below it.
  ///   - schema: The class.
  ///   - id: The object.
  ///   - property: The property.
  /// - Returns: true if value and content are equal, regardless of the ids of collections.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(values of both) up to the first that differs.
  package func hasContent(
    _ content: NestedContent, in value: Value, _ schema: ClassSchema, _ id: UInt64,
    _ property: StoredProperty
  ) throws(Failure) -> Bool {
    // Most values contain no collection: nothing is allocated for them.
    if case .value(let expected) = content { return expected == value }
    var key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: id), propertyID: property.id)
    var pairs = [(content, value)]
    while let (content, value) = pairs.popLast() {
      if case .value(let expected) = content {
        guard expected == value else { return false }
        continue
      }
      guard case .nested(_, let slot) = value else { return false }
      key.nestedID = slot.id
      let collection = try nestedCollection(schema, property, key)
      guard try addPairs(content, collection, to: &pairs) else { return false }
    }
    return true
  }

  /// Adds the pairs that must be equal for a collection to equal some content.
  ///
  /// - Returns: false if the collection is of another kind, or has another count or other keys.
  private func addPairs(
    _ content: NestedContent, _ collection: EditedCollection,
    to pairs: inout [(NestedContent, Value)]
  ) throws(Failure) -> Bool {
    switch (content, collection.property.kind.collection) {
    case (.list(let expected), .list):
      guard expected.count == count(collection) else { return false }
      pairs += zip(expected, try elements(collection))
      return true
    case (.dictionary(let expected), .dictionary):
      guard expected.count == count(collection) else { return false }
      for (key, content) in expected {
        guard let value = try self.value(collection, forKey: key) else { return false }
        pairs.append((content, value))
      }
      return true
    default: return false
    }
  }

  /// Whether a list has exactly these elements.
  package func hasContent(
    _ contents: [NestedContent], _ list: EditedCollection
  ) throws(Failure) -> Bool {
    guard contents.count == count(list) else { return false }
    guard list.property.kind.type == .mixed else {
      for (index, content) in contents.enumerated() {
        guard case .value(let expected) = content, try element(list, at: index) == expected
        else { return false }
      }
      return true
    }
    // The elements are read first, because comparing nested collections may write cached
    // collections.
    for (content, value) in zip(contents, try elements(list)) {
      guard try hasContent(content, in: value, list.schema, list.key.owner.objectID, list.property)
      else { return false }
    }
    return true
  }
}
