public import Foundation

extension RowBuffer {
  /// A view of the row as it is now, without touches: valid until the buffer is changed.
  @inlinable
  package var reader: RowReader {
    RowReader(
      unchecked: UnsafeRawPointer(storage.base), count: end, variableEnd: end, layout: layout)
  }

  @inlinable
  package func isNull(_ field: RowField) -> Bool { field.isNull(in: storage.base) }

  /// An integer of any width, widened; 0 if null.
  @inlinable
  package func int64(_ field: RowField) -> Int64 { field.int64(in: storage.base) }

  @inlinable
  package func bool(_ field: RowField) -> Bool { field.bool(in: storage.base) }

  @inlinable
  package func float(_ field: RowField) -> Float { field.float(in: storage.base) }

  /// A Double, or a Float widened; 0 if null.
  @inlinable
  package func double(_ field: RowField) -> Double { field.double(in: storage.base) }

  @inlinable
  package func date(_ field: RowField) -> Date { field.date(in: storage.base) }

  @inlinable
  package func uuid(_ field: RowField) -> UUID { field.uuid(in: storage.base) }

  @inlinable
  package func objectId(_ field: RowField) -> ObjectIdBytes { field.objectId(in: storage.base) }

  /// The id of the linked object; nil if null.
  @inlinable
  package func link(_ field: RowField) -> UInt64? {
    isNull(field) ? nil : field.bits64(in: storage.base)
  }

  @inlinable
  package func collectionSlot(_ field: RowField) -> CollectionSlot {
    field.collectionSlot(in: storage.base)
  }

  /// The bytes of a string, of data or of a mixed value: valid until the buffer is changed.
  @inlinable
  package func bytes(at field: RowField) throws(FormatError) -> VariableBytes {
    try reader.bytes(at: field)
  }

  /// The value of a property that is not a collection, or the blob that holds it.
  package func value(
    _ field: RowField, linkClass: UInt32 = 0
  ) throws(FormatError) -> StoredValue {
    try reader.value(field, linkClass: linkClass)
  }
}
