public import Foundation

// Setters of single types. They do not check the type of the field; the caller must.

extension RowBuffer {
  @inlinable
  func clearNull(_ field: RowField) {
    guard field.nullBit >= 0 else { return }
    let offset = Row.headerBytes + field.nullBit >> 3
    let bit = UInt8(1) << UInt8(truncatingIfNeeded: field.nullBit & 7)
    let base = storage.base
    base.store(UnsafeRawPointer(base).uint8(at: offset) & ~bit, at: offset)
  }

  /// Stores an integer, truncated to the field's width.
  @inlinable
  package func setInt64(_ value: Int64, _ field: RowField) {
    clearNull(field)
    storage.base.store(value, at: field.offset, width: field.width)
  }

  @inlinable
  package func setBool(_ value: Bool, _ field: RowField) {
    clearNull(field)
    storage.base.store(value ? 1 : 0 as UInt8, at: field.offset)
  }

  @inlinable
  package func setFloat(_ value: Float, _ field: RowField) {
    clearNull(field)
    storage.base.store(value.bitPattern, at: field.offset)
  }

  @inlinable
  package func setDouble(_ value: Double, _ field: RowField) {
    clearNull(field)
    storage.base.store(value.bitPattern, at: field.offset)
  }

  @inlinable
  package func setDate(_ value: Date, _ field: RowField) {
    clearNull(field)
    storage.base.store(value.bits, at: field.offset)
  }

  @inlinable
  package func setUUID(_ value: UUID, _ field: RowField) {
    clearNull(field)
    storage.base.storeBytes(of: value.uuid, toByteOffset: field.offset, as: uuid_t.self)
  }

  @inlinable
  package func setObjectId(_ value: ObjectIdBytes, _ field: RowField) {
    clearNull(field)
    value.store(to: storage.base + field.offset)
  }

  /// Stores the reference to a collection outside the row, or to one without elements.
  package func setCollectionSlot(_ slot: CollectionSlot, _ field: RowField) {
    garbage += field.extent(in: UnsafeRawPointer(storage.base)).count
    slot.store(to: storage.base + field.offset)
  }

  /// Stores the elements of a collection in the row.
  ///
  /// - Parameters:
  ///   - bytes: The elements. They may be part of this row.
  ///   - count: Their number.
  /// - Precondition: There is at least one byte.
  package func setElements(_ bytes: UnsafeRawBufferPointer, count: Int, _ field: RowField) {
    let offset = storeVariable(bytes, field)
    CollectionSlot(place: offset, length: bytes.count, count: UInt32(truncatingIfNeeded: count))
      .store(to: storage.base + field.offset)
  }

  /// Makes the property null; a non-optional property becomes zero or empty.
  package func setNull(_ field: RowField) {
    let base = storage.base
    if field.kind.isVariable || field.kind.collection != .none {
      garbage += field.extent(in: UnsafeRawPointer(base)).count
    }
    (base + field.offset).initializeMemory(as: UInt8.self, repeating: 0, count: field.width)
    guard field.nullBit >= 0 else { return }
    let offset = Row.headerBytes + field.nullBit >> 3
    let bit = UInt8(1) << UInt8(truncatingIfNeeded: field.nullBit & 7)
    base.store(UnsafeRawPointer(base).uint8(at: offset) | bit, at: offset)
  }
}

// Strings, data and mixed values.

extension RowBuffer {
  @inlinable
  package func setString(_ value: String, _ field: RowField) {
    // Native strings are contiguous, and their UTF-8 need not be counted.
    let isStored: Void? = value.utf8.withContiguousStorageIfAvailable {
      setBytes(UnsafeRawBufferPointer($0), field)
    }
    if isStored != nil { return }
    var value = value
    value.withUTF8 { setBytes(UnsafeRawBufferPointer($0), field) }
  }

  /// Stores the UTF-8 bytes of a string, data, or the element bytes of a mixed value in the row.
  ///
  /// The caller must store bytes over ``Row/maximumInlineBytes`` as a blob. The bytes may be part
  /// of this row.
  @usableFromInline
  package func setBytes(_ bytes: UnsafeRawBufferPointer, _ field: RowField) {
    setVariable(bytes, field, flag: 0)
  }

  /// Stores a reference to the blob that contains the string or data.
  package func setBlob(_ reference: BlobReference, _ field: RowField) {
    withUnsafeTemporaryAllocation(byteCount: BlobReference.encodedBytes, alignment: 8) { bytes in
      guard let base = bytes.baseAddress else { return }
      reference.store(to: base)
      setVariable(UnsafeRawBufferPointer(bytes), field, flag: Row.blobBit)
    }
  }

  private func setVariable(_ bytes: UnsafeRawBufferPointer, _ field: RowField, flag: UInt32) {
    clearNull(field)
    let offset = storeVariable(bytes, field)
    storage.base.store(UInt32(truncatingIfNeeded: offset) | flag, at: field.offset)
    storage.base.store(UInt32(truncatingIfNeeded: bytes.count), at: field.offset + 4)
  }

  /// Stores the bytes of a field, in the place of its old ones if these are enough. The slot is
  /// left to the caller.
  ///
  /// - Returns: Their offset; 0 for no bytes.
  private func storeVariable(_ bytes: UnsafeRawBufferPointer, _ field: RowField) -> Int {
    let old = field.extent(in: UnsafeRawPointer(storage.base))
    if bytes.count > old.count {
      garbage += old.count
      if garbage > end - garbage, garbage > RowBuffer.toleratedGarbage {
        // This field has nothing to carry over.
        storage.base.store(0 as UInt32, at: field.offset + 4)
        compact()
      }
      let offset = end
      appendVariable(bytes)
      return offset
    }
    garbage += old.count - bytes.count
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    (storage.base + old.offset).copyMemory(from: source, byteCount: bytes.count)
    return old.offset
  }

  private func appendVariable(_ bytes: UnsafeRawBufferPointer) {
    if storage.capacity < end + bytes.count, storage.contains(bytes) {
      // Growing would free them under the copy.
      let copy = Array(bytes)
      copy.withUnsafeBytes { appendVariable($0) }
      return
    }
    storage.reserve(end + bytes.count, keeping: end)
    guard let source = bytes.baseAddress else { return }
    (storage.base + end).copyMemory(from: source, byteCount: bytes.count)
    end += bytes.count
  }
}
