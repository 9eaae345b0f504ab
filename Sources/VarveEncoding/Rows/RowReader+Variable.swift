// Strings, data and mixed values, and values of any type.

extension VariableBytes {
  /// Reads the slot of a string or of data in a row whose header was checked, for code without the
  /// layout.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - slot: The offset of the slot, which is in the fixed part.
  /// - Returns: nil if the slot points out of the row.
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  package init?(in row: UnsafeRawPointer, slot: Int) {
    let stored = row.uint32(at: slot)
    let count = Int(row.uint32(at: slot + 4))
    let offset = Int(stored & ~Row.blobBit)
    let end = RowHeader.length(row) - Row.touchBytes * RowHeader.touchCount(row)
    guard offset + count <= end else { return nil }
    if stored & Row.blobBit == 0 {
      self = .inline(UnsafeRawBufferPointer(start: row + offset, count: count))
    } else {
      guard count == BlobReference.encodedBytes else { return nil }
      self = .blob(BlobReference(unchecked: row + offset))
    }
  }
}

extension RowReader {
  /// Returns the bytes of a string, of data or of a mixed value (its element bytes, see
  /// ``ElementReader``), or the blob that contains them. Null gives empty bytes.
  ///
  /// - Throws: `badLength` if the slot points out of the row, if it has an offset for no bytes, or
  ///   if the field has no such slot.
  /// - Complexity: O(1).
  @inlinable
  package func bytes(at field: RowField) throws(FormatError) -> VariableBytes {
    guard field.width == 8 else { throw Self.extentError(field, offset: 0, length: 0) }
    let stored = base.uint32(at: field.offset)
    let length = Int(base.uint32(at: field.offset + 4))
    let offset = Int(stored & ~Row.blobBit)
    if length == 0, stored == 0 {
      return .inline(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    // An empty value has no place: its offset would be wrong after the next edit of the row.
    guard offset >= layout.fixedEnd, length > 0, length <= variableEnd - offset else {
      throw Self.extentError(field, offset: offset, length: length)
    }
    if stored & Row.blobBit != 0 {
      guard length == BlobReference.encodedBytes else {
        throw Self.extentError(field, offset: offset, length: length)
      }
      return .blob(BlobReference(unchecked: base + offset))
    }
    return .inline(UnsafeRawBufferPointer(start: base + offset, count: length))
  }

  @usableFromInline
  static func extentError(_ field: RowField, offset: Int, length: Int) -> FormatError {
    FormatError(
      .badLength, "a slot points out of its row", offset: field.offset, found: UInt64(offset))
  }

  /// Whether two rows contain the same bytes, blob, or content of a collection for a property: then
  /// it is unchanged, though it may have been touched.
  ///
  /// - Parameters:
  ///   - field: The property in this row.
  ///   - other: Another row, of the same layout or another one.
  ///   - otherField: The same property in the other row.
  /// - Returns: Whether they do; false also if the kinds differ.
  /// - Throws: `badLength` if a slot points out of its row.
  /// - Complexity: O(n) for strings, data, mixed values and collections in the row.
  package func isEqual(
    _ field: RowField, to other: RowReader, _ otherField: RowField
  ) throws(FormatError) -> Bool {
    guard field.isStored == otherField.isStored, field.width == otherField.width,
      field.kind.type == otherField.kind.type,
      field.kind.collection == otherField.kind.collection, isNull(field) == other.isNull(otherField)
    else { return false }
    if field.kind.collection != .none {
      return collectionContent(field).isIdentical(to: other.collectionContent(otherField))
    }
    guard field.kind.isVariable else {
      return ByteOrder.areEqual(
        UnsafeRawBufferPointer(start: base + field.offset, count: field.width),
        UnsafeRawBufferPointer(start: other.base + otherField.offset, count: field.width))
    }
    switch (try bytes(at: field), try other.bytes(at: otherField)) {
    case (.inline(let a), .inline(let b)): return ByteOrder.areEqual(a, b)
    case (.blob(let a), .blob(let b)): return a == b
    default: return false
    }
  }

  /// Checks that the bytes of a collection in the row belong to no other field.
  ///
  /// - Throws: `badLength`.
  /// - Complexity: O(variable fields) for each collection in the row.
  package func verifyCollectionsAreApart() throws(FormatError) {
    for field in layout.variableFields where field.kind.collection != .none {
      let extent = field.extent(in: base)
      guard extent.count > 0 else { continue }
      for other in layout.variableFields where other.propertyID != field.propertyID {
        let (start, count) = other.extent(in: base)
        if count > 0, start < extent.offset + extent.count, extent.offset < start + count {
          throw Self.extentError(field, offset: extent.offset, length: extent.count)
        }
      }
    }
  }

  /// Checks that every slot of a string, data, a mixed value, or a collection in the row points
  /// into the row, and that their total does not exceed the variable data: then no edit can make
  /// the row longer than its parts.
  ///
  /// - Throws: `badLength`.
  /// - Complexity: O(n) in the variable fields.
  package func verifyExtents() throws(FormatError) {
    var total = 0
    for field in layout.variableFields {
      guard field.kind.collection == .none else {
        let content = collectionContent(field)
        if content.isDamaged {
          throw Self.extentError(field, offset: content.slot.place, length: content.slot.length)
        }
        total += content.bytes?.count ?? 0
        continue
      }
      switch try bytes(at: field) {
      case .inline(let bytes): total += bytes.count
      case .blob: total += BlobReference.encodedBytes
      }
    }
    guard total <= variableEnd - layout.fixedEnd else {
      throw FormatError(
        .badLength, "slots of a row overlap", expected: UInt64(variableEnd - layout.fixedEnd),
        found: UInt64(total))
    }
  }

  /// Returns the value of a property that is not a collection.
  ///
  /// - Parameter linkClass: The target class of a link, which the row does not contain.
  /// - Returns: The value, or the blob that contains it.
  /// - Throws: `typeMismatch` for a collection or a property that is not stored.
  package func value(
    _ field: RowField, linkClass: UInt32 = 0
  ) throws(FormatError) -> StoredValue {
    guard field.isStored, field.kind.collection == .none else {
      throw FormatError(
        .typeMismatch, "a row has no value for the property", found: UInt64(field.propertyID))
    }
    if isNull(field) { return .value(.null) }
    guard field.kind.isVariable else {
      return .value(
        try FixedValue.load(field.kind.type, from: base + field.offset, linkClass: linkClass))
    }
    switch (try bytes(at: field), field.kind.type) {
    case (.inline(let bytes), .mixed): return try ElementReader(validating: bytes).value()
    case (.inline(let bytes), let type): return .value(try VariableValue.value(type, bytes))
    case (.blob, .mixed):
      throw FormatError(.badTag, "a mixed slot with the blob bit", offset: field.offset)
    case (.blob(let reference), let type): return .blob(reference, type: type)
    }
  }
}
