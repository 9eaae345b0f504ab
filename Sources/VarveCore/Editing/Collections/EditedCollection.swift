package import VarveEncoding
import VarveStorage

/// One collection property of one object, or a collection nested in the property's value.
package struct CollectionKey: Hashable, Sendable {
  package var owner: RowKey
  package var propertyID: UInt32
  /// 0 for the collection of the property itself.
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
  /// Where a nested collection stands; nil for that of a property.
  let place: NestedLocation?
  @exclusivity(unchecked) package internal(set) var slot: CollectionSlot
  @exclusivity(unchecked) var isChanged = false
  @exclusivity(unchecked) var list: ListEditor?
  /// Whether the value of a dictionary that was set last got a new key.
  @exclusivity(unchecked) var hasAddedKey = false
  /// Whether the entries of a dictionary may stand behind all others: this transaction has made it, and they have so far.
  @exclusivity(unchecked) var mayAppend = false
  /// Counts the changes of a set, so that what was read of it before one is read anew.
  @exclusivity(unchecked) var setEdits = 0
  /// Where collections stand that are nested in its elements, as far as that was looked for.
  @exclusivity(unchecked) var positions = NestedPositions()
  /// Whether the count of `slot` is known: of nested dictionaries it is found when it is asked for.
  @exclusivity(unchecked) var isCounted = true

  init(
    key: CollectionKey, schema: ClassSchema, property: StoredProperty, slot: CollectionSlot,
    place: NestedLocation? = nil
  ) {
    self.key = key
    self.schema = schema
    self.property = property
    self.slot = slot
    self.place = place
  }

  /// Whether this is the collection of a property of an object.
  @inline(__always)
  func isOf(_ table: Table, _ objectID: UInt64, _ propertyID: UInt32) -> Bool {
    key.owner.objectID == objectID && key.propertyID == propertyID && key.nestedID == 0
      && Table.objects(ofClass: key.owner.classID) == table
  }

  func setCount(_ count: Int) {
    slot = CollectionSlot(id: slot.id, revision: slot.revision, count: UInt32(clamping: count))
  }
}

extension FileEditor {
  /// The collection for reading or changing inside the transaction.
  ///
  /// When many are held, they are written and let go of first: what an earlier call gave must not be
  /// used any more.
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

  /// Writes the collections that are held and lets go of them, when they are many.
  ///
  /// `count`: how many are about to be held.
  func makeRoomForCollections(for count: Int = 1) throws(Failure) {
    // After a failure of the engine they are all that there is of the changes.
    guard collections.all.count > max(0, collections.maximum - count), !hasLeftEngine else {
      return
    }
    try flushCollections()
  }

  /// Holds the collection of a property.
  func hold(
    _ schema: ClassSchema, _ property: StoredProperty, _ key: CollectionKey
  ) throws(Failure) -> EditedCollection {
    if let collection = collections.all[key] { return collection }
    guard let slot = try collectionSlot(schema, key.owner.objectID, property) else {
      throw .invalidatedObject(schema.name, property.name)
    }
    let collection = EditedCollection(key: key, schema: schema, property: property, slot: slot)
    collections.hold(collection)
    return collection
  }

  /// Gives the collection an id if it never had an element, and notes that it changes.
  func beginChange(_ collection: EditedCollection) throws(Failure) {
    guard !collection.isChanged else { return }
    guard try holdOwner(of: collection) else {
      throw .invalidatedObject(collection.schema.name, collection.property.name)
    }
    if let place = collection.place { return try beginChange(collection, at: place) }
    var id = collection.slot.id
    if id == 0 {
      id = try newCollection(collection.key, collection.property.kind)
      // What was read of it while it had no id was the tree of another one.
      collection.list = nil
      collection.mayAppend = true
    }
    collection.slot = CollectionSlot(
      id: id, revision: collection.slot.revision &+ 1, count: collection.slot.count)
    collection.isChanged = true
  }

  /// Looks up the row that the collection's slot will be written into.
  ///
  /// - Returns: whether the owner exists.
  private func holdOwner(of collection: EditedCollection) throws(Failure) -> Bool {
    let owner = collection.key.owner.objectID
    // What is deleted after a failure of the engine is still there to be found; and where there are many rows
    // already, others would be let go of, which a caller may be changing.
    guard !hasLeftEngine, !rows.isFull else {
      return exists(collection.schema, owner)
    }
    return try editedRow(collection.schema, owner) != nil
  }

  /// Hands out the id of a collection and stores its record.
  ///
  /// `key`: of the collection, or of any other one of the property.
  func newCollection(
    _ key: CollectionKey, _ kind: PropertyKind, parentID: UInt64 = 0
  ) throws(Failure) -> UInt64 {
    let id = storage.root.nextCollectionID
    storage.root.nextCollectionID += 1
    CollectionRecord.encodeKey(collectionID: id, into: &scratchKey)
    CollectionRecord(
      kind: kind, ownerClassID: key.owner.classID, ownerObjectID: key.owner.objectID,
      ownerPropertyID: key.propertyID, parentCollectionID: parentID
    ).encode(into: &scratchValue)
    try putScratch(.collections, append: true)
    return id
  }

  /// Leaves that one list may hold in memory, about 8 MB. The n-th list that is held gets one n-th, so
  /// that all together hold a few times as many.
  private static let loadedLeaves = 4096
  private static let fewestLoadedLeaves = 8

  /// The tree of a list.
  ///
  /// - Throws: `.corrupted` when it is damaged, or does not have the elements that its owner counts.
  func list(_ collection: EditedCollection) throws(Failure) -> ListEditor {
    if let list = collection.list { return list }
    let list = ListEditor(
      collection.slot, transaction: storage,
      format: ListElementFormat(collection.property.kind))
    if let damage = list.damage { throw Failure(damage) }
    if !list.isInMemoryOnly {
      list.maximumLoadedLeaves = max(
        Self.fewestLoadedLeaves, Self.loadedLeaves / max(collections.all.count, 1))
    }
    if collection.place != nil { collection.setCount(list.count) }
    guard list.count == Int(collection.slot.count) else {
      throw Failure(
        .corrupted, "A list has another number of elements than its owner counts.",
        className: collection.schema.name, propertyName: collection.property.name)
    }
    // Nobody would take it away again from a collection that is not held any more.
    if collections.all[collection.key] === collection { collection.list = list }
    return list
  }

  /// The tree of a list that is about to change.
  func changedList(_ collection: EditedCollection) throws(Failure) -> ListEditor {
    try beginChange(collection)
    return try list(collection)
  }

  /// Writes changed trees, and the slots of changed collections into their owners' rows.
  ///
  /// In the order of their ids: the engine then goes from page to page, and those that are new stand behind all others.
  func flushCollections() throws(Failure) {
    var changed: [(id: UInt64, collection: Unmanaged<EditedCollection>)] = []
    changed.reserveCapacity(collections.all.count)
    for collection in collections.all.values where collection.isChanged {
      changed.append((collection.slot.id, .passUnretained(collection)))
    }
    changed.sort { $0.id < $1.id }
    for (_, held) in changed {
      // Safe because `collections` holds it.
      let collection = held.takeUnretainedValue()
      if let list = collection.list {
        try change { () throws(StorageError) in try list.flush() }
        collection.setCount(list.count)
      }
      // The slot of a nested one was written when its change began.
      if collection.place != nil { continue }
      let owner = collection.key.owner.objectID
      guard let row = try editedRow(collection.schema, owner),
        let field = collection.schema.currentLayout.field(forProperty: collection.property.id)
      else { continue }
      row.buffer.setCollectionSlot(collection.slot, field)
      row.isChanged = true
    }
    collections.removeAll()
  }

  /// Removes a collection with everything in it: its owner is deleted.
  func deleteCollection(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) {
    let collection = try collection(schema, id, property)
    if collection.slot.id != 0 { try deleteContent(collection) }
    collections.forget(collection.key)
  }

  /// Removes the elements of a collection, what they hold elsewhere, and its record.
  func deleteContent(_ collection: EditedCollection) throws(Failure) {
    switch collection.property.kind.collection {
    case .list: try removeAllElements(collection)
    case .dictionary: try removeAllEntries(collection)
    case .set: try removeAllSetElements(collection)
    case .none: break
    }
    CollectionRecord.encodeKey(collectionID: collection.slot.id, into: &scratchKey)
    try deleteScratchKey(.collections)
    if let list = collection.list {
      try change { () throws(StorageError) in try list.flush() }
    }
  }
}
