import VarveEncoding
import VarveStorage

/// Dictionaries in the rows of their owners. In a write, the row is their only state.
extension FileEditor {
  /// Stores the element in `scratchValue` under a key of a dictionary in its row. A dictionary that
  /// becomes too large is moved out of the row first.
  ///
  /// - Returns: Whether the element is stored. If not, the dictionary is outside the row.
  func putInRow(_ collection: EditedCollection, _ key: String) throws(Failure) -> Bool {
    guard collection.isInRow else { return false }
    if scratchValue.withUnsafeBytes({ ElementCodec.mayBeInline($0) }),
      let (row, field) = try rowForElements(of: collection)
    {
      var key = key
      let isPut = try key.utf8Bytes { (key) throws(Failure) in
        guard RowEntries.mayContain(key: key) else { return false }
        return try scratchValue.withUnsafeBytes { (element) throws(Failure) in
          try put(element, forKey: key, row, field)
        }
      }
      if isPut {
        collection.slot = row.buffer.reader.collectionContent(field).slot
        return true
      }
    }
    let element = scratchValue
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
    let hasRoom = try format { () throws(FormatError) in
      let entries = try content.entries
      let (index, isPresent) = try entries?.find(key) ?? (0, false)
      return try scratchElements.copy(
        entries, replacing: index..<index + (isPresent ? 1 : 0), with: (key, element))
    }
    guard hasRoom, scratchElements.byteCount <= InlineLimits.maximumEditedBytes else {
      return false
    }
    storeScratchElements(count: scratchElements.entryCount, in: row, field)
    return true
  }

  func storeScratchElements(count: Int, in row: EditedRow, _ field: RowField) {
    if count == 0 {
      row.buffer.setCollectionSlot(.none, field)
    } else {
      scratchElements.withBytes { row.buffer.setElements($0, count: count, field) }
    }
    row.isChanged = true
  }

  /// Removes the entry of a present key from a dictionary in its row.
  ///
  /// - Returns: false, without a change, if the dictionary is outside the row.
  func removeFromRow(_ collection: EditedCollection, _ key: String) throws(Failure) -> Bool {
    guard collection.isInRow else { return false }
    guard let (row, field) = try rowForElements(of: collection) else {
      try moveOutOfRow(collection)
      return false
    }
    let content = row.buffer.reader.collectionContent(field)
    var key = key
    let hasRoom = try format { () throws(FormatError) in
      let entries = try content.entries
      let place = try key.utf8Bytes { (key) throws(FormatError) in try entries?.find(key) }
      guard let (index, isPresent) = place, isPresent else { return true }
      guard try scratchElements.copy(entries, replacing: index..<index + 1, with: nil) else {
        return false
      }
      storeScratchElements(count: scratchElements.entryCount, in: row, field)
      return true
    }
    // Another writer may store larger dictionaries in rows.
    guard hasRoom else {
      try moveOutOfRow(collection)
      return false
    }
    collection.slot = row.buffer.reader.collectionContent(field).slot
    return true
  }

  /// Returns the row of a collection's owner for changing, with its field; nil if the row cannot be
  /// buffered.
  func rowForElements(
    of collection: EditedCollection
  ) throws(Failure) -> (EditedRow, RowField)? {
    // Buffering another row would release rows that a caller may be changing.
    guard !hasLeftEngine, !rows.isFull || rows[collection.key.owner] != nil else { return nil }
    return try editedField(of: collection)
  }

  // MARK: New dictionaries

  /// Stores the entries of a new dictionary in the row that is being filled, if they are small.
  ///
  /// - Returns: Whether they are stored.
  func fillRow(
    _ entries: [(key: String, value: Value)], _ field: RowTemplate.Field
  ) -> Bool {
    let room = InlineLimits.staying.room(inRow: scratchRow.byteCount)
    guard RowEntries.leastByteCount(ofEntries: entries.count) <= room else { return false }
    scratchElements.begin()
    for (key, value) in entries.inOrderOfKeys {
      guard value.mayBeInRow, scratchElements.append(key: key),
        scratchElements.append(element: value), scratchElements.byteCount <= room
      else { return false }
    }
    scratchElements.withBytes {
      scratchRow.setElements($0, count: entries.count, field.field)
    }
    return true
  }
}

extension [(key: String, value: Value)] {
  /// The entries in the order of the bytes of their keys.
  fileprivate var inOrderOfKeys: Self {
    var isOrdered = true
    for index in indices.dropFirst() {
      isOrdered = self[index - 1].key.utf8Precedes(self[index].key)
      if !isOrdered { break }
    }
    return isOrdered ? self : sorted { $0.key.utf8Precedes($1.key) }
  }
}

extension Value {
  /// Whether the value may be an element of a collection in a row.
  var mayBeInRow: Bool {
    if case .nested = self { return false }
    return byteCount <= ElementCodec.maximumInlineBytes
  }
}

extension String {
  /// Whether the UTF-8 bytes come before those of another string.
  fileprivate func utf8Precedes(_ other: String) -> Bool {
    let order = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        ByteOrder.compare(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(others))
      }
    }
    if let order = order ?? nil { return order < 0 }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }

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
