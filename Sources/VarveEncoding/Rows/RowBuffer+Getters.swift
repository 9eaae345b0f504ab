extension RowBuffer {
  /// A view of the current row, without touches: valid until the buffer is changed.
  @inlinable
  package var reader: RowReader {
    RowReader(
      unchecked: UnsafeRawPointer(storage.base), count: end, variableEnd: end, layout: layout)
  }

  @inlinable
  package func collectionSlot(_ field: RowField) -> CollectionSlot {
    CollectionSlot(unchecked: storage.base + field.offset)
  }
}
