extension RowBuffer {
  /// A view of the current row, without touches: valid until the buffer is changed.
  @inlinable
  package var reader: RowReader {
    RowReader(
      unchecked: UnsafeRawPointer(storage.base), count: end, variableEnd: end, layout: layout)
  }
}
