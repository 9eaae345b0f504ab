package import VarveEncoding
import VarveStorage

/// Collections of objects that are about to be stored. They are empty and not cached, and their
/// entries are greater than all others. They are written at once, and their slots go into the new
/// row.
extension FileEditor {
  /// Stores the elements of a list or a set of the object whose row is being filled.
  ///
  /// - Throws: The error of an invalid element.
  /// - Complexity: O(elements).
  package func fillElements(
    _ field: UnsafePointer<RowTemplate.Field>, _ elements: [Value], object id: UInt64,
    _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) {
    try fillElements(
      field.pointee, elements, object: id, in: template.pointee.schema.takeUnretainedValue())
  }

  /// Stores the elements of a list or a set of the object whose row is being filled. See
  /// ``fillElements(_:_:object:_:)``.
  ///
  /// - Returns: The number of stored elements: a set contains each of them once.
  @discardableResult
  package func fillElements(
    _ field: RowTemplate.Field, _ elements: [Value], object id: UInt64, in schema: ClassSchema
  ) throws(Failure) -> Int {
    guard !elements.isEmpty else { return 0 }
    let property = schema.properties[field.index]
    for element in elements { try check(element, property, schema) }
    let key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: id), propertyID: property.id)
    if property.kind.collection == .set {
      let collection = EditedCollection(new: newCollectionID(), key, schema, property)
      return try putSet(elements, field, collection)
    }
    try putList(elements, field, key, schema, property)
    return elements.count
  }

  /// Stores the entries of a dictionary of the object whose row is being filled, each key once.
  ///
  /// - Throws: See ``setValue(_:_:forKey:)``.
  /// - Complexity: O(entries) if the keys are in order.
  package func fillEntries(
    _ field: UnsafePointer<RowTemplate.Field>, _ entries: [(key: String, value: Value)],
    object id: UInt64, _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) {
    try fillEntries(
      field.pointee, entries, object: id, in: template.pointee.schema.takeUnretainedValue())
  }

  /// Stores the entries of a dictionary of the object whose row is being filled. See
  /// ``fillEntries(_:_:object:_:)``.
  package func fillEntries(
    _ field: RowTemplate.Field, _ entries: [(key: String, value: Value)], object id: UInt64,
    in schema: ClassSchema
  ) throws(Failure) {
    guard !entries.isEmpty else { return }
    let property = schema.properties[field.index]
    let key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: id), propertyID: property.id)
    let collection = EditedCollection(new: 0, key, schema, property)
    for (key, value) in entries {
      try DictionaryRules.check(key, collection)
      try check(value, property, schema)
    }
    if fillRow(entries, field) { return try enterBacklinks(entries.lazy.map(\.value), key) }
    let collectionID = newCollectionID()
    let slot = CollectionSlot(
      id: collectionID, revision: 1, count: UInt32(clamping: entries.count))
    var mayAppend = true
    for (key, value) in entries {
      try encodeEntry(value, slot, key)
      guard try tryInsertScratchEntry(.dictionaries, &mayAppend) else {
        throw Failure(
          .fail, "Two long keys of a dictionary have the same hash.", className: schema.name,
          propertyName: schema.declaredName(of: property), value: key)
      }
    }
    try enterBacklinks(entries.lazy.map(\.value), key)
    fill(field, collectionID, count: entries.count)
  }

  private func fill(_ field: RowTemplate.Field, _ collectionID: UInt64, count: Int) {
    scratchRow.setCollectionSlot(
      CollectionSlot(id: collectionID, revision: 1, count: UInt32(clamping: count)),
      field.field)
  }

  // MARK: Lists

  private func putList(
    _ elements: [Value], _ field: RowTemplate.Field, _ key: CollectionKey,
    _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) {
    if fillRow(elements, field, property) { return try enterBacklinks(elements, key) }
    let isLeaf = fillLeaf(elements, property)
    let id = newCollectionID()
    if isLeaf {
      let root = ListNodeKey(listID: id)
      try change { () throws(StorageError) in
        try root.withBytes { (key) throws(StorageError) in
          try storage.put(.lists, key: key, scratchLeaf.finish(root), append: true)
        }
      }
    } else {
      let list = try list(EditedCollection(new: id, key, schema, property))
      try insertElements(elements, list, property, at: 0)
      try change { () throws(StorageError) in try list.flush() }
    }
    try enterBacklinks(elements, key)
    fill(field, id, count: elements.count)
  }

  /// Stores the elements of a list in the row that is being filled, if they are small.
  ///
  /// - Returns: Whether they are stored.
  private func fillRow(
    _ elements: [Value], _ field: RowTemplate.Field, _ property: StoredProperty
  ) -> Bool {
    let format = ListElementFormat(property.kind)
    let room = InlineLimits.staying.room(inRow: scratchRow.byteCount)
    guard elements.count * max(format.stride, 2) <= room else { return false }
    scratchElements.begin(isPacked: format.isPacked)
    for element in elements {
      if format.isPacked {
        encodeRowElement(element, property.kind.type, format)
        guard scratchValue.withUnsafeBytes({ scratchElements.append($0) }) else { return false }
      } else {
        guard element.mayBeInRow, scratchElements.append(element: element) else { return false }
      }
    }
    guard scratchElements.byteCount <= room else { return false }
    scratchElements.withBytes {
      scratchRow.setElements($0, count: elements.count, field.field)
    }
    return true
  }

  /// Builds the only leaf of a list.
  ///
  /// - Returns: false for elements that need more leaves, or blobs.
  private func fillLeaf(_ elements: [Value], _ property: StoredProperty) -> Bool {
    let format = ListElementFormat(property.kind)
    scratchLeaf.begin(format)
    if format.storesBits { return fillPackedLeaf(elements, format) }
    for element in elements {
      scratchValue.removeAll()
      if format.isPacked {
        if !element.isNull {
          element.packedBytes(property.kind.type).withUnsafeBytes { scratchValue.append($0) }
        }
      } else {
        guard element.byteCount <= ElementCodec.maximumInlineBytes else { return false }
        ElementCodec.append(element, to: &scratchValue)
      }
      let isNull = format.isPacked && element.isNull
      let hasRoom = scratchValue.withUnsafeBytes { bytes in
        scratchLeaf.insertIfRoom(bytes: isNull ? nil : bytes, at: scratchLeaf.count)
      }
      if !hasRoom { return false }
    }
    return true
  }

  private func fillPackedLeaf(_ elements: [Value], _ format: ListElementFormat) -> Bool {
    guard elements.count * format.stride <= scratchLeaf.room else { return false }
    for element in elements {
      let bits = element.elementBits
      if let bits, format.width == 8 {
        scratchLeaf.append(bits64: bits)
      } else {
        _ = scratchLeaf.insertIfRoom(bits: bits, at: scratchLeaf.count)
      }
    }
    return true
  }

  // MARK: Sets

  /// - Returns: The number of different elements.
  private func putSet(
    _ elements: [Value], _ field: RowTemplate.Field, _ collection: EditedCollection
  ) throws(Failure) -> Int {
    let (id, property) = (collection.slot.id, collection.property)
    var entered: [Value] = []
    entered.reserveCapacity(elements.count)
    var mayAppend = true
    for element in property.kind.type == .link ? elements.inOrderOfIDs : elements {
      scratchValue.removeAll()
      ElementCodec.append(element, to: &scratchValue)
      _ = CollectionEntryKey.encode(
        element: element, type: property.kind.type, collectionID: id, fileKey: fileKey,
        into: &scratchKey)
      if try tryInsertScratchEntry(.sets, &mayAppend) {
        entered.append(element)
      } else if try !contains(element, collection) {
        throw Failure(
          .fail, "Two long elements of a set have the same hash.",
          className: collection.schema.name,
          propertyName: collection.schema.declaredName(of: property), value: element.text)
      }
    }
    try enterBacklinks(entered, collection.key)
    fill(field, id, count: entered.count)
    return entered.count
  }

  /// Stores the element in `scratchValue`, with a checksum, under `scratchKey`, unless there is an
  /// entry.
  ///
  /// `mayAppend`: whether the key is expected to be greater than all others. Set to false if it is
  /// not.
  /// - Returns: Whether the entry was inserted.
  func tryInsertScratchEntry(
    _ table: Table, _ mayAppend: inout Bool
  ) throws(Failure) -> Bool {
    sealScratchEntry()
    return try engine { () throws(StorageError) in
      try scratchKey.withUnsafeBytes { (key) throws(StorageError) in
        try scratchValue.withUnsafeBytes { (value) throws(StorageError) in
          if mayAppend {
            if try storage.tryAppend(table, key: key, value) { return true }
            mayAppend = false
          }
          return try storage.insert(table, key: key, value)
        }
      }
    }
  }

  // MARK: Links

  /// Counts the links of a new collection, none of which has an entry yet.
  private func enterBacklinks(
    _ elements: some Collection<Value>, _ key: CollectionKey
  ) throws(Failure) {
    guard case .link(let classID, _)? = elements.first(where: { !$0.isNull }) else { return }
    let targets = elements.compactMap(\.elementBits).sorted()
    var start = 0
    while start < targets.count {
      var end = start + 1
      while end < targets.count, targets[end] == targets[start] { end += 1 }
      try enterBacklink(
        target: RowKey(classID: classID, objectID: targets[start]), origin: key.owner,
        property: key.propertyID, count: end - start)
      start = end
    }
  }
}

extension EditedCollection {
  /// Creates a collection that its transaction does not cache. Its id is new and not used
  /// elsewhere.
  fileprivate convenience init(
    new id: UInt64, _ key: CollectionKey, _ schema: ClassSchema, _ property: StoredProperty
  ) {
    self.init(
      key: key, schema: schema, property: property,
      slot: CollectionSlot(id: id, revision: 1, count: 0))
  }
}

extension [Value] {
  /// The links in the order of the objects' ids, which is the order of their entries in a set.
  fileprivate var inOrderOfIDs: [Value] {
    sorted { ($0.elementBits ?? 0) < ($1.elementBits ?? 0) }
  }
}
