import VarveEncoding
import VarveStorage

/// The places of collections: in the row of their owner, or outside it. The place of a changed
/// collection is chosen when it is written.
extension FileEditor {
  /// Writes changed trees, and the slots of changed collections into their owners' rows.
  ///
  /// Collections that are certainly too large for their rows come first: the others see the lengths
  /// of the rows without them. Each group is written in the order of its ids, so that the engine
  /// visits pages sequentially and new entries are appended.
  func flushCollections() throws(Failure) {
    // Safe because `collections` retains them until the end.
    var large: [Unmanaged<EditedCollection>] = []
    var leaving: [Unmanaged<EditedCollection>] = []
    var others: [Unmanaged<EditedCollection>] = []
    for collection in collections.all.values where collection.isChanged {
      let reference = Unmanaged.passUnretained(collection)
      if collection.isInRow {
        if try !mayStayInRow(collection) { leaving.append(reference) }
      } else if isCertainlyOutside(collection) {
        large.append(reference)
      } else {
        others.append(reference)
      }
    }
    for collection in large.inOrderOfIDs { try write(collection) }
    for collection in leaving.inOrderOfIDs {
      // Another collection may have left the row since.
      if try mayStayInRow(collection) { continue }
      if collection.property.kind.collection == .list {
        try beginChange(collection)
      } else {
        try moveOutOfRow(collection)
      }
      try write(collection)
    }
    for collection in others.inOrderOfIDs where try !placeInRow(collection) {
      try write(collection)
    }
    collections.removeAll()
  }

  /// Whether a collection that has an id keeps it, whatever the length of the row.
  private func isCertainlyOutside(_ collection: EditedCollection) -> Bool {
    let limit = InlineLimits.staying.collection
    guard collection.location == nil else { return true }
    switch collection.property.kind.collection {
    case .list:
      guard let list = collection.list else { return true }
      return list.count > 0 && list.inlineElements(upTo: limit) == nil
    case .dictionary:
      return RowEntries.leastByteCount(ofEntries: Int(collection.slot.count)) > limit
    case .set, .none: return true
    }
  }

  /// Writes a changed collection outside the row, and its slot into the row.
  private func write(_ collection: EditedCollection) throws(Failure) {
    if let list = collection.list {
      try change { () throws(StorageError) in try list.flush() }
      collection.setCount(list.count)
    }
    // The slot of a nested collection was written when its change began.
    guard collection.location == nil, let (row, field) = try editedField(of: collection) else {
      return
    }
    row.buffer.setCollectionSlot(collection.slot.count == 0 ? .none : collection.slot, field)
    row.isChanged = true
  }

  // MARK: Into the row

  /// Stores a changed list or dictionary that has an id in the row of its owner, if it is small.
  ///
  /// A collection that is in the row stays there up to a greater size than that at which it comes
  /// back, so that one that grows and shrinks by one element does not move each time.
  ///
  /// - Returns: Whether it is in the row, or the owner does not exist.
  private func placeInRow(_ collection: EditedCollection) throws(Failure) -> Bool {
    guard let (row, field) = try editedField(of: collection) else {
      return collection.list == nil
    }
    let old = row.buffer.reader.collectionContent(field)
    let limits = old.isInline || old.count == 0 ? InlineLimits.staying : InlineLimits.entering
    let restBytes = row.buffer.byteCount - (old.bytes?.count ?? 0)
    if let list = collection.list {
      guard let bytes = list.inlineElements(upTo: limits.room(inRow: restBytes)) else {
        return false
      }
      try change { () throws(StorageError) in try list.deleteNodes() }
      row.buffer.setElements(bytes, count: list.count, field)
      row.isChanged = true
      return true
    }
    let count = Int(collection.slot.count)
    guard count > 0,
      try readEntries(of: collection, upTo: limits.room(inRow: restBytes)),
      scratchElements.entryCount == count
    else { return false }
    for index in 0..<count {
      CollectionEntryKey.begin(&scratchKey, collectionID: collection.slot.id)
      _ = scratchKey.appendBare(bytes: scratchElements.part(at: 2 * index), fileKey: fileKey)
      try deleteScratchKey(.dictionaries)
    }
    storeScratchElements(count: count, in: row, field)
    return true
  }

  /// Reads the entries of a dictionary outside the row into `scratchElements`.
  ///
  /// - Returns: false if they have more bytes than the limit, or cannot be in a row.
  private func readEntries(
    of collection: EditedCollection, upTo limit: Int
  ) throws(Failure) -> Bool {
    scratchElements.begin()
    guard RowEntries.leastByteCount(ofEntries: Int(collection.slot.count)) <= limit else {
      return false
    }
    var entries = CollectionEntries(CollectionContent(collection.slot), .dictionaries, in: storage)
    while entries.isOnEntry {
      guard !entries.isCut, ElementCodec.mayBeInline(entries.element),
        let key = CollectionEntryKey.plainText(entries.key), scratchElements.append(key: key),
        scratchElements.append(entries.element), scratchElements.byteCount <= limit
      else { return false }
      entries.advance()
    }
    return true
  }

  // MARK: Out of the row

  /// Whether a collection that was changed in its row may stay there, or has no elements, or no
  /// owner.
  private func mayStayInRow(_ collection: EditedCollection) throws(Failure) -> Bool {
    guard let (row, field) = try editedField(of: collection) else { return true }
    let byteCount = row.buffer.reader.collectionContent(field).bytes?.count ?? 0
    return byteCount == 0 || InlineLimits.staying.allow(byteCount, inRow: row.buffer.byteCount)
  }

  /// Gives a dictionary in a row an id, and stores its entries under it. Its slot in the row is
  /// replaced at the flush.
  func moveOutOfRow(_ collection: EditedCollection) throws(Failure) {
    let content = try content(of: collection)
    // The engine may move the row.
    var bytes = ByteBuffer()
    if let inline = content.bytes { bytes.append(inline) }
    let slot = CollectionSlot(id: newCollectionID(), revision: 1, count: collection.slot.count)
    if content.isInline {
      try bytes.withUnsafeBytes { (bytes) throws(Failure) in
        try putEntries(
          try format { () throws(FormatError) in
            try RowEntries(validating: bytes, count: content.count)
          }, slot)
      }
    }
    collection.slot = slot
    collection.mayAppend = true
    collection.isChanged = true
  }

  private func putEntries(_ entries: RowEntries, _ slot: CollectionSlot) throws(Failure) {
    for index in 0..<entries.count {
      let (key, element) = try format { () throws(FormatError) in try entries.entry(at: index) }
      CollectionEntryKey.begin(&scratchKey, collectionID: slot.id)
      let wasCut = scratchKey.appendBare(bytes: key, fileKey: fileKey)
      scratchValue.removeAll()
      scratchValue.append(element)
      if wasCut { ElementCodec.appendWholeKey(key, to: &scratchValue) }
      try putScratchEntry(append: true)
    }
  }
}

extension [Unmanaged<EditedCollection>] {
  /// The collections in the order of their ids; those without one, in that of their owners and
  /// properties.
  fileprivate var inOrderOfIDs: [EditedCollection] {
    isEmpty ? [] : map { $0.takeUnretainedValue() }.sorted { $0.place < $1.place }
  }
}

extension EditedCollection {
  fileprivate var place: (UInt64, UInt32, UInt64, UInt32) {
    (slot.isInline ? 0 : slot.id, key.owner.classID, key.owner.objectID, key.propertyID)
  }
}
