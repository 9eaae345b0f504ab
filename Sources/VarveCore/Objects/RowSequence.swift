package import VarveEncoding

/// Checks that a walk meets each row of a class once, in the order of the ids.
///
/// A cursor compares the keys of neighboring pages only: damage of a key, or of the number of entries
/// in a page, would omit rows, or repeat them.
package struct RowSequence {
  private let schema: ClassSchema
  private let count: Int
  private var last: UInt64?
  /// The number of rows met so far.
  package private(set) var metCount = 0

  /// - Parameter count: The number of rows of the class.
  package init(of schema: ClassSchema, count: Int) {
    self.schema = schema
    self.count = count
  }

  /// Checks the ids of all rows.
  ///
  /// - Throws: `.corrupted` if rows are missing, repeated, or out of order.
  package static func check(
    _ ids: [UInt64], of schema: ClassSchema, count: Int
  ) throws(Failure) {
    var sequence = RowSequence(of: schema, count: count)
    for id in ids { try sequence.note(id) }
    try sequence.end()
  }

  /// Notes the next row.
  ///
  /// - Throws: `.corrupted` if its id is not greater than that of the row before.
  package mutating func note(_ id: UInt64) throws(Failure) {
    if let last, id <= last {
      throw Failure(
        .corrupted, "The rows of a class are out of order.", className: schema.name,
        value: "object \(id)")
    }
    last = id
    metCount += 1
  }

  /// Notes that there are no more rows.
  ///
  /// - Throws: `.corrupted` if not all rows of the class were met.
  package func end() throws(Failure) {
    guard metCount == count else {
      throw Failure(
        .corrupted, "The rows of a class differ from their count.", className: schema.name,
        value: "\(metCount) instead of \(count)")
    }
  }
}
