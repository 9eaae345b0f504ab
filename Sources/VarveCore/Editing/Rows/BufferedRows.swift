/// The rows that a transaction holds in memory until they are written.
///
/// Invariant: `last` is one of `all`, or nil.
struct BufferedRows {
  /// By their objects. Empty, with the memory of those that were in it, when a write hands it to the next.
  var all: [RowKey: EditedRow] = [:]
  /// The row that was asked for last.
  private(set) var last: EditedRow?
  /// How many are held before they are written early, so that memory stays bounded.
  var maximum = 20_000

  var isFull: Bool { all.count >= maximum }

  /// The row of an object, if it is the one that was asked for last.
  @inline(__always)
  func last(_ schema: ClassSchema, _ id: UInt64) -> EditedRow? {
    guard let last, last.key.objectID == id, last.key.classID == schema.id else { return nil }
    return last
  }

  /// The row of an object.
  subscript(key: RowKey) -> EditedRow? { last?.key == key ? last : all[key] }

  /// The row of an object, which is the last one from now on.
  mutating func find(_ key: RowKey) -> EditedRow? {
    guard let row = all[key] else { return nil }
    last = row
    return row
  }

  mutating func hold(_ row: EditedRow) {
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
