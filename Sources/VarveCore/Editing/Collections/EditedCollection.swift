package import VarveEncoding
import VarveStorage

/// Identifies one collection property of one object, or a collection nested in the property's
/// value.
package struct CollectionKey: Hashable, Sendable {
  package var owner: RowKey
  package var propertyID: UInt32
  /// The id of the nested collection; 0 for the collection of the property itself.
  package var nestedID: UInt64

  package init(owner: RowKey, propertyID: UInt32, nestedID: UInt64 = 0) {
    self.owner = owner
    self.propertyID = propertyID
    self.nestedID = nestedID
  }
}

/// A collection that a transaction uses, with its slot and, for a list, the tree being edited.
package final class EditedCollection {
  package let key: CollectionKey
  let schema: ClassSchema
  /// The property, with the kind of the collection.
  package let property: StoredProperty
  /// The name of the property for errors.
  var declaredName: String { schema.declaredName(of: property) }
  /// The location of a nested collection; nil for the collection of a property.
  let location: NestedLocation?
  @exclusivity(unchecked) package internal(set) var slot: CollectionSlot
  @exclusivity(unchecked) var isChanged = false
  /// The tree of a list. A list in its row is changed there until it has one.
  @exclusivity(unchecked) var list: ListEditor?
  /// Whether an element of a list was read from the row.
  @exclusivity(unchecked) var wasRead = false
  /// Whether the last set value of a dictionary was inserted under a new key.
  @exclusivity(unchecked) var hasAddedKey = false
  /// Whether the entries of a dictionary may be greater than all others: this transaction created
  /// it, and all its entries so far were.
  @exclusivity(unchecked) var mayAppend = false
  /// The number of changes of a set. Contents read before a change must be read again.
  @exclusivity(unchecked) var setEdits = 0
  /// The positions of collections nested in its elements, as far as they were looked up.
  @exclusivity(unchecked) var positions = NestedPositions()
  /// Whether the count of `slot` is known. The count of a nested dictionary is computed on demand.
  @exclusivity(unchecked) var isCounted = true

  init(
    key: CollectionKey, schema: ClassSchema, property: StoredProperty, slot: CollectionSlot,
    location: NestedLocation? = nil
  ) {
    self.key = key
    self.schema = schema
    self.property = property
    self.slot = slot
    self.location = location
  }

  /// Whether this is the collection of a property of an object.
  @inline(__always)
  func isOf(_ table: Table, _ objectID: UInt64, _ propertyID: UInt32) -> Bool {
    key.owner.objectID == objectID && key.propertyID == propertyID && key.nestedID == 0
      && Table.objects(ofClass: key.owner.classID) == table
  }

  /// Whether it is the collection of a property, and its elements are in the row, or it has none.
  var isInRow: Bool { location == nil && (slot.isInline || slot.id == 0) }

  /// Whether it is the list of a property, and its elements are in the row, or it has none.
  var isListInRow: Bool { property.kind.collection == .list && isInRow }

  func setCount(_ count: Int) {
    slot = CollectionSlot(id: slot.id, revision: slot.revision, count: UInt32(clamping: count))
  }
}

extension FileEditor {
  /// Returns the collection for reading or changing inside the transaction.
  ///
  /// If many are cached, they are written and released first, so collections returned by earlier
  /// calls must no longer be used.
  /// - Throws: `.invalidatedObject` when the owner does not exist.
  package func collection(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> EditedCollection {
    if let last = collections.last, last.isOf(schema.table, id, property.id) { return last }
    let key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: id), propertyID: property.id)
    if let collection = collections.find(key) { return collection }
    try makeRoomForCollections()
    let collection = try hold(schema, property, key)
    return collections.find(key) ?? collection
  }

  /// Writes and releases the cached collections if there are many.
  ///
  /// `count`: the number of collections about to be cached.
  func makeRoomForCollections(for count: Int = 1) throws(Failure) {
    // After a failure of the engine they are the only copy of the changes.
    guard collections.all.count > max(0, collections.maximum - count), !hasLeftEngine else {
      return
    }
    try flushCollections()
  }

  /// Caches the collection of a property.
  func hold(
    _ schema: ClassSchema, _ property: StoredProperty, _ key: CollectionKey
  ) throws(Failure) -> EditedCollection {
    if let collection = collections.all[key] { return collection }
    guard let slot = try collectionContent(schema, key.owner.objectID, property)?.slot else {
      throw .invalidatedObject(schema.name, schema.declaredName(of: property))
    }
    let collection = EditedCollection(key: key, schema: schema, property: property, slot: slot)
    collections.insert(collection)
    return collection
  }

  /// Assigns an id to a list that is in its row, or to a collection without elements, and marks the
  /// collection as changed. The id is not used if the list is in the row afterwards. A dictionary
  /// gets none before it leaves the row; see ``putInRow(_:_:)``.
  ///
  /// - Throws: `.invalidatedObject` when the owner does not exist; `.corrupted` for a list that is
  ///   damaged, or a set in a row.
  func beginChange(_ collection: EditedCollection) throws(Failure) {
    // A list that was changed in its row has no id yet.
    guard !collection.isChanged || collection.isListInRow else { return }
    guard try holdOwner(of: collection) else {
      throw .invalidatedObject(collection.schema.name, collection.declaredName)
    }
    if let location = collection.location { return try beginChange(collection, at: location) }
    if collection.property.kind.collection == .dictionary, collection.isInRow {
      collection.isChanged = true
      return
    }
    var id = collection.slot.id
    if id == 0 || collection.slot.isInline {
      if collection.property.kind.collection == .set, collection.slot.isInline {
        throw Failure(
          .corrupted, "A set is in the row of its owner.", className: collection.schema.name,
          propertyName: collection.declaredName)
      }
      // The elements in the row are read before the slot is replaced.
      if collection.slot.isInline { _ = try list(collection) }
      id = newCollectionID()
      collection.list?.listID = id
      collection.mayAppend = true
    }
    collection.slot = CollectionSlot(
      id: id, revision: collection.slot.revision &+ 1, count: collection.slot.count)
    collection.isChanged = true
  }

  /// Looks up the row into which the collection's slot will be written.
  ///
  /// - Returns: Whether the owner exists.
  func holdOwner(of collection: EditedCollection) throws(Failure) -> Bool {
    let owner = collection.key.owner.objectID
    // After a failure of the engine, deleted rows are still found. If many rows are buffered,
    // buffering another one would release rows that a caller may be changing.
    guard !hasLeftEngine, !rows.isFull else {
      return exists(collection.schema, owner)
    }
    return try editedRow(collection.schema, owner) != nil
  }

  /// Returns the row of a collection's owner for changing, with the field of the property; nil if
  /// the owner does not exist.
  func editedField(of collection: EditedCollection) throws(Failure) -> (EditedRow, RowField)? {
    guard let row = try editedRow(collection.schema, collection.key.owner.objectID),
      let field = collection.schema.currentLayout.field(forProperty: collection.property.id)
    else { return nil }
    return (row, field)
  }

  /// Assigns the id of a collection.
  func newCollectionID() -> UInt64 {
    let id = storage.root.nextCollectionID
    storage.root.nextCollectionID += 1
    return id
  }

  /// The number of leaves that one list may keep in memory, about 8 MB. The n-th cached list gets
  /// one n-th, so that all together keep a few times as many.
  private static let loadedLeaves = 4096
  private static let fewestLoadedLeaves = 8

  /// Returns the tree of a list.
  ///
  /// - Throws: `.corrupted` when it is damaged, or its count differs from the owner's count.
  func list(_ collection: EditedCollection) throws(Failure) -> ListEditor {
    if let list = collection.list { return list }
    let list = ListEditor(
      try content(of: collection), transaction: storage,
      format: ListElementFormat(collection.property.kind))
    if let damage = list.damage { throw Failure(damage) }
    if !list.isInMemoryOnly {
      list.maximumLoadedLeaves = max(
        Self.fewestLoadedLeaves, Self.loadedLeaves / max(collections.all.count, 1))
    }
    // After a failure of the engine, the row may be that of the version before.
    if collection.location != nil || hasLeftEngine { collection.setCount(list.count) }
    guard list.count == Int(collection.slot.count) else {
      throw Failure(
        .corrupted, "A list's element count differs from the count in its owner.",
        className: collection.schema.name, propertyName: collection.declaredName)
    }
    // A released collection must not get a tree, because nothing would discard it.
    if collections.all[collection.key] === collection { collection.list = list }
    return list
  }

  /// Returns the content of a collection as it is stored, in the row or outside it. That of a list
  /// lacks the changes of its editor.
  ///
  /// It is valid until the next call of the editor, which may change or release the row.
  package func content(of collection: EditedCollection) throws(Failure) -> CollectionContent {
    // After a failure of the engine, dictionaries have their state before the write.
    let isBefore =
      hasLeftEngine && collection.location == nil
      && collection.property.kind.collection == .dictionary
    guard collection.slot.isInline || isBefore else { return CollectionContent(collection.slot) }
    let content = try collectionContent(
      collection.schema, collection.key.owner.objectID, collection.property)
    return content ?? .none
  }

  /// Returns the tree of a list that is about to change.
  func changedList(_ collection: EditedCollection) throws(Failure) -> ListEditor {
    try beginChange(collection)
    return try list(collection)
  }

  /// Removes a collection and its contents, because its owner is deleted.
  func deleteCollection(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) {
    let collection = try collection(schema, id, property)
    // Elements in the row are deleted with it.
    if collection.slot.id != 0, !collection.isInRow || property.elementsNeedRelease {
      try deleteContent(collection)
    }
    collections.forget(collection.key)
  }

  /// Removes the elements of a collection, their data outside it, and the record of a nested one.
  func deleteContent(_ collection: EditedCollection) throws(Failure) {
    switch collection.property.kind.collection {
    case .list: try removeAllElements(collection)
    case .dictionary: try removeAllEntries(collection)
    case .set: try removeAllSetElements(collection)
    case .none: break
    }
    if collection.key.nestedID != 0 {
      CollectionRecord.encodeKey(collectionID: collection.slot.id, into: &scratchKey)
      try deleteScratchKey(.collections)
    }
    if let list = collection.list {
      try change { () throws(StorageError) in try list.flush() }
    }
  }
}
