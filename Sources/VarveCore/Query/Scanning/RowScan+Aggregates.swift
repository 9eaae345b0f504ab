package import VarveEncoding
import VarveStorage

extension RowScan {
  /// The sum of a property over the rows that pass. Nulls are left out.
  ///
  /// Integers are added on several threads. Floats and doubles are added on one, in the order of the ids, so
  /// that the result is that of adding the values one by one, to the last bit.
  ///
  /// - Parameter property: one of the class, no collection.
  /// - Returns: the sum.
  /// - Throws: `.corrupted` when a row is damaged.
  /// - Complexity: O(rows).
  package func sum(_ property: StoredProperty) throws(Failure) -> ValueSum {
    let parts = try run(SumSink(property), isShared: SumSink.isShareable(property))
    var sum = parts[0].sum
    for part in parts.dropFirst() { sum.addIntegers(of: part.sum) }
    return sum
  }

  /// The least or the greatest value of a property over the rows that pass. Nulls and NaNs are left out.
  ///
  /// - Parameters:
  ///   - property: one of the class, no collection.
  ///   - end: which of the two.
  /// - Returns: the value; of equal ones that of the lowest id. Nil for none.
  /// - Throws: `.corrupted` when a row is damaged.
  /// - Complexity: O(rows).
  package func extreme(
    _ property: StoredProperty, _ end: ValueExtreme.End
  ) throws(Failure) -> Value? {
    var extreme = ValueExtreme(end, of: property.kind.type)
    for part in try run(ExtremeSink(property, end)) {
      if let value = part.extreme.value { extreme.add(value) }
    }
    return extreme.value
  }

  /// Whether ``firstIDs(sortedBy:isAscending:limit:)`` knows the order of a property: of integers, floats,
  /// doubles, Booleans, dates and links.
  package static func sorts(by property: StoredProperty) -> Bool {
    guard property.kind.collection == .none else { return false }
    switch property.kind.type {
    case .bool, .int8, .int16, .int32, .int64, .float, .double, .date, .link: return true
    case .string, .data, .uuid, .objectId, .decimal128, .mixed: return false
    }
  }

  /// The objects that come first when those whose rows pass are sorted by a property: as ``SortOrder`` has it, null
  /// before NaN before the numbers when ascending, and of equal values the lower id first.
  ///
  /// - Parameters:
  ///   - property: one of a fixed width of at most 8 bytes, see ``sorts(by:)``.
  ///   - isAscending: whether the least values come first.
  ///   - limit: how many objects are wanted.
  /// - Returns: the ids in order; nil for a property of another type.
  /// - Throws: `.corrupted` when a row is damaged.
  /// - Complexity: O(rows), and O(rows × log `limit`) at worst.
  package func firstIDs(
    sortedBy property: StoredProperty, isAscending: Bool, limit: Int
  ) throws(Failure) -> [UInt64]? {
    guard RowScan.sorts(by: property) else { return nil }
    let limit = min(limit, reader.count(schema.table))
    guard limit > 0 else { return [] }
    let parts = try run(FirstSink(property, isAscending: isAscending, limit: limit))
    var first = parts[0]
    for part in parts.dropFirst() { first.add(part) }
    return first.ids
  }
}
