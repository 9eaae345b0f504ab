import VarveEncoding
import VarveStorage

/// Dictionaries in the rows of their owners. In a write, the row is their only state.
extension FileEditor {
  /// The greatest number of bytes of a dictionary in a row during a write; at its end,
  /// ``InlineLimits`` decide.
  private static let maximumRowBytes = 512

  /// Stores the element in `scratchValue` under a key of a dictionary in its row. A dictionary that
  /// becomes too large is moved out of the row first.
  ///
  /// - Returns: Whether the element is stored. If not, the dictionary is outside the row.
  func putInRow(_ collection: EditedCollection, _ key: String) throws(Failure) -> Bool {
    guard collection.isInRow else { return false }
    var key = key
    let element = scratchValue
    if key.utf8Bytes({ RowEntries.mayContain(key: $0) }),
      element.withUnsafeBytes({ ElementCodec.mayBeInline($0) }),
      let (row, field) = try rowForEntries(of: collection)
    {
      let isPut = try key.utf8Bytes { (key) throws(Failure) in
        try element.withUnsafeBytes { (element) throws(Failure) in
          try put(element, forKey: key, row, field)
        }
      }
      if isPut {
        collection.slot = row.buffer.reader.collectionContent(field).slot
        return true
      }
    }
    try moveOutOfRow(collection)
    scratchValue = element
    return false
  }

  /// - Returns: false if the dictionary would become too large.
  private func put(
    _ element: UnsafeRawBufferPointer, forKey key: UnsafeRawBufferPointer, _ row: EditedRow,
    _ field: RowField
  ) throws(Failure) -> Bool {
    let content = row.buffer.reader.collectionContent(field)
    try format { () throws(FormatError) in
      let entries = try content.entries
      let (index, isPresent) = try entries?.find(key) ?? (0, false)
      try scratchEntries.copy(
        entries, replacing: index..<index + (isPresent ? 1 : 0), with: (key, element))
    }
    guard scratchEntries.byteCount <= Self.maximumRowBytes else { return false }
    storeScratchEntries(in: row, field)
    return true
  }

  private func storeScratchEntries(in row: EditedRow, _ field: RowField) {
    if scratchEntries.count == 0 {
      row.buffer.setCollectionSlot(.none, field)
    } else {
      let count = scratchEntries.count
      scratchEntries.withBytes { row.buffer.setElements($0, count: count, field) }
    }
    row.isChanged = true
  }

  /// Removes the entry of a present key from a dictionary in its row.
  ///
  /// - Returns: false, without a change, if the dictionary is outside the row.
  func removeFromRow(_ collection: EditedCollection, _ key: String) throws(Failure) -> Bool {
    guard collection.isInRow else { return false }
    guard let (row, field) = try rowForEntries(of: collection) else {
      try moveOutOfRow(collection)
      return false
    }
    let content = row.buffer.reader.collectionContent(field)
    var key = key
    try format { () throws(FormatError) in
      let entries = try content.entries
      let place = try key.utf8Bytes { (key) throws(FormatError) in try entries?.find(key) }
      guard let (index, isPresent) = place, isPresent else { return }
      try scratchEntries.copy(entries, replacing: index..<index + 1, with: nil)
      storeScratchEntries(in: row, field)
    }
    collection.slot = row.buffer.reader.collectionContent(field).slot
    return true
  }

  /// Returns the row of a dictionary's owner for changing, with its field; nil if the row cannot be
  /// buffered.
  private func rowForEntries(
    of collection: EditedCollection
  ) throws(Failure) -> (EditedRow, RowField)? {
    // Buffering another row would release rows that a caller may be changing.
    guard !hasLeftEngine, !rows.isFull || rows[collection.key.owner] != nil else { return nil }
    return try editedField(of: collection)
  }

  // MARK: Moving

  /// Gives a dictionary in a row an id, and stores its entries under it. Its slot in the row is
  /// replaced at the flush.
  private func moveOutOfRow(_ collection: EditedCollection) throws(Failure) {
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
      _ = scratchKey.appendBare(bytes: key, fileKey: fileKey)
      scratchValue.removeAll()
      scratchValue.append(element)
      try putScratch(.dictionaries, append: true)
    }
  }

  /// Chooses the place of a changed dictionary of a property.
  ///
  /// - Returns: Whether it is in the row, or has no entries.
  func isDictionaryInRow(afterChanging collection: EditedCollection) throws(Failure) -> Bool {
    guard collection.property.kind.collection == .dictionary, collection.location == nil else {
      return false
    }
    guard let (row, field) = try editedField(of: collection) else { return false }
    if collection.isInRow {
      let limits = InlineLimits.staying
      let byteCount = row.buffer.reader.collectionContent(field).bytes?.count ?? 0
      if byteCount <= limits.collection, row.buffer.byteCount <= limits.row || byteCount == 0 {
        return true
      }
      try moveOutOfRow(collection)
      return false
    }
    if collection.slot.count == 0 {
      row.buffer.setCollectionSlot(.none, field)
      row.isChanged = true
      return true
    }
    return try moveIntoRow(collection, row, field)
  }

  /// Moves a dictionary into the row of its owner, if it is small.
  private func moveIntoRow(
    _ collection: EditedCollection, _ row: EditedRow, _ field: RowField
  ) throws(Failure) -> Bool {
    let limits = InlineLimits.entering
    let count = Int(collection.slot.count)
    guard count * (RowEntries.entryOverhead + 1) <= limits.collection,
      row.buffer.byteCount < limits.row,
      try readEntries(of: collection, upTo: limits.collection), scratchEntries.count == count,
      row.buffer.byteCount + scratchEntries.byteCount <= limits.row
    else { return false }
    for index in 0..<count {
      CollectionEntryKey.begin(&scratchKey, collectionID: collection.slot.id)
      let key = scratchEntries.key(at: index)
      key.withUnsafeBytes { _ = scratchKey.appendBare(bytes: $0, fileKey: fileKey) }
      try deleteScratchKey(.dictionaries)
    }
    storeScratchEntries(in: row, field)
    return true
  }

  /// Reads the entries of a dictionary outside the row into `scratchEntries`.
  ///
  /// - Returns: false if they have more bytes than the limit, or cannot be in a row.
  private func readEntries(
    of collection: EditedCollection, upTo limit: Int
  ) throws(Failure) -> Bool {
    scratchEntries.removeAll()
    var entries = CollectionEntries(CollectionContent(collection.slot), .dictionaries, in: storage)
    while entries.isOnEntry {
      guard !entries.isCut, ElementCodec.mayBeInline(entries.value),
        var key = CollectionEntryKey.plainText(entries.key),
        key.utf8Bytes({ RowEntries.mayContain(key: $0) })
      else { return false }
      let value = entries.value
      key.utf8Bytes { scratchEntries.append($0, value) }
      guard scratchEntries.byteCount <= limit else { return false }
      entries.advance()
    }
    return true
  }

  /// Stores the entries of a new dictionary in the row that is being filled, if they are small.
  ///
  /// - Returns: Whether they are stored.
  func fillRow(
    _ entries: [(key: String, value: Value)], _ field: UnsafePointer<RowTemplate.Field>
  ) -> Bool {
    let limits = InlineLimits.staying
    let room = min(limits.collection, limits.row - scratchRow.byteCount)
    guard entries.count * (RowEntries.entryOverhead + 1) <= room else { return false }
    scratchEntries.removeAll()
    for (key, value) in entries.inOrderOfKeys {
      guard key.utf8.count + value.byteCount <= room, !value.isNested else { return false }
      scratchValue.removeAll()
      ElementCodec.append(value, to: &scratchValue)
      var key = key
      guard key.utf8Bytes({ RowEntries.mayContain(key: $0) }) else { return false }
      key.utf8Bytes { key in
        scratchValue.withUnsafeBytes { scratchEntries.append(key, $0) }
      }
      guard scratchEntries.byteCount <= room else { return false }
    }
    let count = scratchEntries.count
    scratchEntries.withBytes { scratchRow.setElements($0, count: count, field.pointee.field) }
    return true
  }
}

extension [(key: String, value: Value)] {
  /// The entries in the order of the bytes of their keys.
  fileprivate var inOrderOfKeys: Self {
    let isOrdered = zip(self, dropFirst()).allSatisfy {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    return isOrdered ? self : sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension Value {
  /// Whether the value is a nested collection.
  fileprivate var isNested: Bool {
    if case .nested = self { true } else { false }
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes.
  fileprivate mutating func utf8Bytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    let result = withUTF8 { bytes in
      Result { () throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
  }
}
