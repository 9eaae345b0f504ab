import VarveEncoding
import VarveStorage

extension RowScan {
  /// Gives the rows of a range of ids that pass to a sink.
  ///
  /// - Returns: Whether the sink wants more.
  func walk<S: RowSink>(_ ids: ClosedRange<UInt64>, _ sink: inout S) throws(Failure) -> Bool {
    if let snapshot = reader as? Snapshot,
      let leaves = snapshot.leaves(schema.table, from: ids.lowerBound, through: ids.upperBound)
    {
      var walk = LeafScan(self, leaves)
      defer { walk.selected.deallocate() }
      return try walk.run(&sink)
    }
    return try walkEntries(ids, &sink)
  }

  /// As ``walk(_:_:)``, from entry to entry.
  private func walkEntries<S: RowSink>(
    _ ids: ClosedRange<UInt64>, _ sink: inout S
  ) throws(Failure) -> Bool {
    var cursor = reader.cursor(schema.table)
    var isPresent = cursor.seek(id: ids.lowerBound)
    while isPresent, cursor.id <= ids.upperBound {
      let row = try self.row(cursor.value)
      let plan = test?.plan(for: row.layout)
      if try accepts(row, cursor.id, plan), try !sink.take(row, id: cursor.id, reader) {
        return false
      }
      isPresent = cursor.next()
    }
    return true
  }

  /// The row that the bytes of a value are.
  ///
  /// - Throws: `.corrupted` when they are none of the class.
  func row(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> RowReader {
    do throws(FormatError) {
      return try schema.reader(for: bytes)
    } catch {
      throw Failure(error, message: "A row is damaged.", className: schema.name)
    }
  }

  /// Whether a row passes the filter and what is asked further.
  func accepts(_ row: RowReader, _ id: UInt64, _ plan: RowPlan?) throws(Failure) -> Bool {
    if let plan, try !plan.accepts(row.base, id: id, reader) { return false }
    if let further { return try further(row, id) }
    return true
  }
}
