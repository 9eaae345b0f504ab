import Foundation

/// An editable row, reused for row after row without allocating.
///
/// Begin with ``begin(layout:)`` or one of the `load` functions, set values, and take the bytes
/// with ``finish(classID:objectID:)``; then continue editing, or begin again. Fields passed in must
/// be stored fields of the buffer's layout.
///
/// Thread safety: none; one owner at a time.
@usableFromInline
package final class RowBuffer {
  // Safe because the buffer has one owner, and no access to these runs foreign code: without the
  // attribute each setter costs twice as much.

  /// The row: fixed part, then variable data up to `end`; the touches are appended at the end.
  @exclusivity(unchecked) @usableFromInline var storage: ByteStorage
  @exclusivity(unchecked) @usableFromInline var end: Int
  /// The number of bytes of variable data that no slot refers to any more.
  @exclusivity(unchecked) @usableFromInline var garbage = 0
  @exclusivity(unchecked) package private(set) var touches: [RowTouch] = []
  @exclusivity(unchecked) @usableFromInline
  package private(set) var layout: RowLayout
  private var compacted = ByteStorage(capacity: 0)
  /// More garbage than this is removed once it also exceeds the bytes in use: a property that is
  /// set repeatedly must not make the buffer grow without bound.
  static let toleratedGarbage = 1024
  private var element = ByteBuffer()

  /// Begins a row of the layout.
  ///
  /// - Parameter capacity: The initial capacity in bytes.
  package init(layout: RowLayout, capacity: Int = 256) {
    self.layout = layout
    storage = ByteStorage(capacity: max(capacity, 256, layout.fixedEnd))
    end = layout.fixedEnd
    clear()
  }

  /// The address of the fixed part of the row, valid until the buffer is changed.
  @inlinable package var fixedPart: UnsafeRawPointer { UnsafeRawPointer(storage.base) }

  /// The length of the row without its touches, if it were finished now.
  package var byteCount: Int { end - garbage }

  /// The number of bytes that the buffer has allocated.
  package var capacity: Int { storage.capacity + compacted.capacity }

  /// Begins a row: every property is null, or zero and empty if it is not optional.
  package func begin(layout: RowLayout) {
    if layout !== self.layout { self.layout = layout }
    clear()
  }

  private func clear() {
    let fixedEnd = layout.fixedEnd
    storage.reserve(fixedEnd, keeping: 0)
    let base = storage.base
    base.initializeMemory(as: UInt8.self, repeating: 0, count: fixedEnd)
    base.store(layout.id, at: Row.layoutOffset)
    let nulls = layout.nullCount
    for byte in 0..<nulls / 8 { base.store(0xFF as UInt8, at: Row.headerBytes + byte) }
    if nulls % 8 != 0 {
      base.store(UInt8(1) << UInt8(nulls % 8) - 1, at: Row.headerBytes + nulls / 8)
    }
    end = fixedEnd
    garbage = 0
    if !touches.isEmpty { touches.removeAll(keepingCapacity: true) }
  }

  /// Begins with a copy of a row.
  ///
  /// - Throws: `badLength` if slots of the row point out of it or overlap; the buffer is left as
  ///   begun.
  /// - Precondition: The reader's bytes are not this buffer's.
  package func load(from reader: RowReader) throws(FormatError) {
    begin(layout: reader.layout)
    try reader.verifyExtents()
    storage.reserve(reader.variableEnd, keeping: 0)
    storage.base.copyMemory(from: reader.base, byteCount: reader.variableEnd)
    end = reader.variableEnd
    for index in 0..<reader.touchCount { touches.append(reader.touch(at: index)) }
  }

  /// Begins with a row of another layout of the same class.
  ///
  /// Properties of both layouts are copied, including blob references, references to collections,
  /// and collections in the row. Properties that the row's layout lacks get their constant,
  /// otherwise null or zero; properties that the new layout lacks are omitted.
  ///
  /// - Parameters:
  ///   - reader: The row to convert.
  ///   - layout: The new layout.
  ///   - constants: The value that rows of older layouts read for a property that they lack.
  /// - Throws: `badLength` if a slot of the row points out of it, `typeMismatch` if a constant does
  ///   not fit its property; the buffer then contains a part of the row.
  /// - Precondition: The reader's bytes are not this buffer's.
  package func load(
    from reader: RowReader, converting layout: RowLayout, constants: (RowField) -> Value?
  ) throws(FormatError) {
    begin(layout: layout)
    for field in layout.fields where field.isStored {
      if let old = reader.layout.field(forProperty: field.propertyID), old.isStored,
        old.kind.type == field.kind.type, old.kind.collection == field.kind.collection
      {
        try carry(old, from: reader, to: field)
      } else if let constant = constants(field) {
        try set(constant, field)
      }
    }
    for index in 0..<reader.touchCount {
      let touch = reader.touch(at: index)
      if layout.field(forProperty: touch.propertyID) != nil { touches.append(touch) }
    }
  }

  private func carry(
    _ old: RowField, from reader: RowReader, to field: RowField
  ) throws(FormatError) {
    if reader.isNull(old) { return }
    if field.kind.collection != .none {
      let content = reader.collectionContent(old)
      if content.isDamaged {
        throw RowReader.extentError(old, offset: content.slot.place, length: content.slot.length)
      }
      if let bytes = content.bytes {
        setElements(bytes, count: content.count, field)
      } else {
        setCollectionSlot(content.slot, field)
      }
    } else if field.kind.isVariable {
      switch try reader.bytes(at: old) {
      case .inline(let bytes): setBytes(bytes, field)
      case .blob(let reference): setBlob(reference, field)
      }
    } else {
      clearNull(field)
      (storage.base + field.offset).copyMemory(
        from: reader.base + old.offset, byteCount: field.width)
    }
  }

  /// Records that a property was set to its current value. A property has only its last touch.
  package func touch(propertyID: UInt32, versionLow: UInt32) {
    let touch = RowTouch(propertyID: propertyID, versionLow: versionLow)
    if let index = touches.firstIndex(where: { $0.propertyID == propertyID }) {
      touches[index] = touch
    } else {
      touches.append(touch)
    }
  }

  /// Completes the row of an object with touches, length and checksum.
  ///
  /// - Returns: The bytes, valid until the buffer is changed or released. If nothing else retains
  ///   the buffer, it may be released at once: use ``finish(classID:objectID:_:)`` then.
  /// - Complexity: O(n).
  package func finish(classID: UInt32, objectID: UInt64) -> UnsafeRawBufferPointer {
    if garbage > 0 { compact() }
    let length = end + touches.count * Row.touchBytes
    storage.reserve(length, keeping: end)
    let base = storage.base
    var offset = end
    for touch in touches {
      base.store(touch.propertyID, at: offset)
      base.store(touch.versionLow, at: offset + 4)
      offset += Row.touchBytes
    }
    base.store(UInt32(truncatingIfNeeded: length), at: Row.lengthOffset)
    base.store(UInt16(truncatingIfNeeded: touches.count), at: Row.touchCountOffset)
    base.store(
      RowHeader.checksum(of: base, count: length, classID: classID, objectID: objectID), at: 0)
    return UnsafeRawBufferPointer(start: base, count: length)
  }

  /// Completes the row of an object and calls `body` with its bytes.
  package func finish<R, E: Error>(
    classID: UInt32, objectID: UInt64, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(finish(classID: classID, objectID: objectID))
  }

  /// Removes the bytes that no slot refers to. Bytes of the row that a caller still uses stay
  /// unchanged until the next call.
  func compact() {
    // Enough: the total of all slots never exceeds the variable data.
    compacted.reserve(end, keeping: 0)
    let source = UnsafeRawPointer(storage.base)
    let target = compacted.base
    var position = layout.fixedEnd
    target.copyMemory(from: source, byteCount: position)
    for field in layout.variableFields {
      let extent = field.extent(in: source)
      if extent.count == 0 { continue }
      (target + position).copyMemory(from: source + extent.offset, byteCount: extent.count)
      // The offset of a collection has no flag: it is less than the flag of a blob.
      target.store(
        UInt32(truncatingIfNeeded: position) | source.uint32(at: field.offset) & Row.blobBit,
        at: field.offset)
      position += extent.count
    }
    swap(&storage, &compacted)
    end = position
    garbage = 0
  }

  /// Sets a property that is not a collection to a value of its type.
  ///
  /// Strings and data of any length are stored in the row.
  ///
  /// - Throws: `typeMismatch` if the value has another type or does not fit, or is null where that
  ///   is not allowed; the row is unchanged then.
  package func set(_ value: Value, _ field: RowField) throws(FormatError) {
    guard field.isStored, field.kind.collection == .none, field.nullBit >= 0 || !value.isNull
    else { throw Self.mismatch(field) }
    switch (value, field.kind.type) {
    case (.null, _): setNull(field)
    case (_, .mixed):
      element.removeAll()
      ElementCodec.append(value, to: &element)
      element.withUnsafeBytes { setBytes($0, field) }
    case (.string(let value), .string): setString(value, field)
    case (.data(let value), .data): value.withUnsafeBytes { setBytes($0, field) }
    case (_, let type):
      guard type.fixedWidth != nil,
        FixedValue.store(value, as: type, to: storage.base + field.offset)
      else { throw Self.mismatch(field) }
      clearNull(field)
    }
  }

  private static func mismatch(_ field: RowField) -> FormatError {
    FormatError(
      .typeMismatch, "a value does not fit its property",
      expected: UInt64(field.kind.type.rawValue),
      found: UInt64(field.propertyID))
  }
}
