import VarveEncoding
import VarveStorage

/// Lists in the rows of their owners. Single elements are replaced, inserted and removed in the row;
/// everything else is done by a list editor, which reads the elements from the row.
extension FileEditor {
  /// Begins a change of one element of a list.
  ///
  /// - Returns: nil if the list is to be changed in its row; else its editor.
  func beginElementChange(_ collection: EditedCollection) throws(Failure) -> ListEditor? {
    guard collection.list == nil, collection.isListInRow, !hasLeftEngine else {
      return try changedList(collection)
    }
    if !collection.isChanged {
      guard try holdOwner(of: collection) else {
        throw .invalidatedObject(collection.schema.name, collection.declaredName)
      }
      collection.isChanged = true
    }
    return nil
  }

  /// Replaces elements of a list in its row, unless it has an editor.
  ///
  /// - Returns: nil if the elements are replaced; the editor of the list if that has to be done
  ///   there.
  func replaceInRow(
    _ collection: EditedCollection, _ list: ListEditor?, _ range: Range<Int>, with element: Value
  ) throws(Failure) -> ListEditor? {
    if let list { return list }
    if try replaceInRow(collection, range, with: element) { return nil }
    return try changedList(collection)
  }

  /// Replaces elements of a list in its row.
  ///
  /// - Parameters:
  ///   - range: The elements to replace: none or one.
  ///   - element: The new element; nil to remove.
  /// - Returns: false, without a change, if the element cannot be in a row, or the list would become
  ///   too large.
  private func replaceInRow(
    _ collection: EditedCollection, _ range: Range<Int>, with element: Value?
  ) throws(Failure) -> Bool {
    if let element, !element.mayBeInRow { return false }
    guard let (row, field) = try rowForElements(of: collection) else { return false }
    let format = ListElementFormat(collection.property.kind)
    if let element { encodeRowElement(element, collection.property.kind.type, format) }
    let content = row.buffer.reader.collectionContent(field)
    guard content.isInline || content.slot.id == 0, !content.isDamaged else { return false }
    let hasRoom = try self.format { () throws(FormatError) in
      try scratchValue.withUnsafeBytes { (bytes) throws(FormatError) in
        try scratchElements.copy(
          elements: content.bytes, count: content.count, format: format, replacing: range,
          with: element == nil ? nil : bytes)
      }
    }
    guard hasRoom, scratchElements.byteCount <= InlineLimits.maximumEditedBytes else {
      return false
    }
    let count = content.count - range.count + (element == nil ? 0 : 1)
    storeScratchElements(count: count, in: row, field)
    collection.slot = row.buffer.reader.collectionContent(field).slot
    return true
  }

  /// Removes an element of a list in its row.
  ///
  /// - Returns: false if the element is still to be removed, by the editor of the list.
  func removeInRow(_ collection: EditedCollection, at index: Int) throws(Failure) -> Bool {
    guard collection.list == nil, collection.slot.isInline else { return false }
    let old = try storedElement(collection, at: index)
    guard try beginElementChange(collection) == nil,
      try replaceInRow(collection, index..<index + 1, with: nil)
    else { return false }
    if collection.property.elementsNeedRelease { try release(old, in: collection) }
    return true
  }

  /// Encodes an element as a list in a row contains it, into `scratchValue`.
  func encodeRowElement(
    _ element: Value, _ type: PropertyType, _ format: ListElementFormat
  ) {
    scratchValue.removeAll()
    guard format.isPacked else { return ElementCodec.append(element, to: &scratchValue) }
    if format.isNullable { scratchValue.append(element.isNull ? 0 : 1 as UInt8) }
    if let bits = element.elementBits, format.storesBits {
      withUnsafeBytes(of: bits.littleEndian) {
        scratchValue.append(UnsafeRawBufferPointer(rebasing: $0[..<format.width]))
      }
    } else if element.isNull {
      for _ in 0..<format.width { scratchValue.append(0 as UInt8) }
    } else {
      element.packedBytes(type).withUnsafeBytes { scratchValue.append($0) }
    }
  }

  /// Returns an element of a list. The first one that is read from a row is read without a list
  /// editor.
  func storedElement(
    _ collection: EditedCollection, at index: Int
  ) throws(Failure) -> StoredValue {
    let property = collection.property
    if collection.list == nil, collection.slot.isInline, !collection.wasRead || collection.isChanged
    {
      collection.wasRead = true
      let format = ListElementFormat(property.kind)
      let content = try content(of: collection)
      if let bytes = content.bytes, index < content.count,
        let leaf = try? ListLeaf(elements: bytes, count: content.count, format: format)
      {
        return try storedElement(leaf, property, at: index)
      }
    }
    return try storedElement(try list(collection), property, at: index)
  }

  private func storedElement(
    _ leaf: ListLeaf, _ property: StoredProperty, at index: Int
  ) throws(Failure) -> StoredValue {
    if leaf.format.isPacked, leaf.isNull(at: index) { return .value(.null) }
    if leaf.format.storesBits {
      return .value(property.elementValue(bits: leaf.bits(at: index, PackedShape(leaf.format))))
    }
    return try format { () throws(FormatError) in
      try property.storedElement(try leaf.bytes(at: index))
    }
  }
}
