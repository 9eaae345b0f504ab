import VarveEncoding
import VarveStorage

extension RowScan {
  /// Passes the matching rows of a range of ids to a sink.
  ///
  /// - Parameter rows: The pages and changed ids of the rows.
  /// - Returns: Whether the sink accepts more rows.
  func walk<S: RowSink>(
    _ ids: ClosedRange<UInt64>, _ rows: PagedRows, _ sink: inout S
  ) throws(Failure) -> Bool {
    var walk = LeafScan(self, rows.snapshot, rows.snapshot.leaves(schema.table))
    defer { walk.selected.deallocate() }
    var lower = ids.lowerBound
    for id in rows.changedIDs[rows.changedIDs.indices(in: ids)] {
      if lower < id, try !walk.run(lower...id - 1, &sink) { return false }
      if try !takeChanged(id, &sink) { return false }
      guard id < ids.upperBound else { return true }
      lower = id + 1
    }
    return try walk.run(lower...ids.upperBound, &sink)
  }

  /// Passes a row that the transaction has changed to a sink, if the row matches.
  ///
  /// - Returns: Whether the sink accepts more rows.
  func takeChanged<S: RowSink>(_ id: UInt64, _ sink: inout S) throws(Failure) -> Bool {
    guard let bytes = reader.find(schema.table, id: id) else { return true }
    let row = try row(bytes)
    if let plan = test?.plan(for: row.layout), try !plan.accepts(row.base, id: id, reader) {
      return true
    }
    return try sink.take(row, id: id, reader)
  }

  /// Passes the matching rows to a sink, reading with a cursor from entry to entry. Used when a
  /// transaction has changed many rows. See ``walk(_:_:_:)``.
  func walkEntries<S: RowSink>(
    _ ids: ClosedRange<UInt64>, _ sink: inout S
  ) throws(Failure) -> Bool {
    var cursor = reader.cursor(schema.table)
    var isPresent = cursor.seek(id: ids.lowerBound)
    while isPresent, cursor.id <= ids.upperBound {
      let row = try self.row(cursor.value)
      let passes = try test?.plan(for: row.layout).accepts(row.base, id: cursor.id, reader) ?? true
      if passes, try !sink.take(row, id: cursor.id, reader) { return false }
      isPresent = cursor.next()
    }
    return true
  }

  /// Reads a row from the bytes of a value.
  ///
  /// - Throws: `.corrupted` if the bytes are not a row of the class.
  func row(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> RowReader {
    try Failure.decoding(
      "A row is damaged.", className: schema.name, try schema.reader(for: bytes))
  }
}

extension [UInt64] {
  /// The indices of the ids in a range.
  ///
  /// - Precondition: The ids are ascending.
  func indices(in ids: ClosedRange<UInt64>) -> Range<Int> {
    countAscending { $0 < ids.lowerBound }..<countAscending { $0 <= ids.upperBound }
  }
}
