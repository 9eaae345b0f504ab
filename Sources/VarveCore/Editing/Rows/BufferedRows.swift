/// The rows that a transaction buffers in memory until they are written.
///
/// Invariant: `last` is one of `all`, or nil.
struct BufferedRows {
  /// The rows by object. Passed to the next write empty, with its capacity.
  var all: [RowKey: EditedRow] = [:]
  /// The row that was looked up last.
  private(set) var last: EditedRow?
  /// The number of rows that are buffered before they are written early, which bounds the memory.
  var maximum = 20_000

  var isFull: Bool { all.count >= maximum }

  /// Returns the row of an object, if it was looked up last.
  @inline(__always)
  func last(_ schema: ClassSchema, _ id: UInt64) -> EditedRow? {
    guard let last, last.key.objectID == id, last.key.classID == schema.id else { return nil }
    return last
  }

  /// The row of an object.
  subscript(key: RowKey) -> EditedRow? { last?.key == key ? last : all[key] }

  /// Returns the row of an object, and makes it the last one.
  mutating func find(_ key: RowKey) -> EditedRow? {
    guard let row = all[key] else { return nil }
    last = row
    return row
  }

  mutating func insert(_ row: EditedRow) {
    all[row.key] = row
    last = row
  }

  mutating func forget(_ key: RowKey) {
    all[key] = nil
    if last?.key == key { last = nil }
  }

  mutating func removeAll(keepingCapacity: Bool = false) {
    all.removeAll(keepingCapacity: keepingCapacity)
    last = nil
  }
}
