package import VarveEncoding
import VarveStorage

extension RowScan {
  /// The sum of a property over the matching rows. Nulls are skipped.
  ///
  /// Integers are added on several threads. Floats and doubles are added on one thread, in id
  /// order, so the result is bit for bit that of adding the values one by one.
  ///
  /// - Parameter property: A property of the class that is not a collection.
  /// - Throws: `.corrupted` if a row is damaged.
  /// - Complexity: O(rows).
  package func sum(_ property: StoredProperty) throws(Failure) -> ValueSum {
    let parts = try run(SumSink(property), isShared: SumSink.isShareable(property))
    var sum = parts[0].sum
    for part in parts.dropFirst() { sum.addIntegers(of: part.sum) }
    return sum
  }

  /// The least or greatest value of a property over the matching rows. Nulls and NaNs are skipped.
  ///
  /// - Parameter property: A property of the class that is not a collection.
  /// - Returns: The value, or nil if there is none. Among equal values, the value of the lowest id.
  /// - Throws: `.corrupted` if a row is damaged.
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

  /// Whether ``firstIDs(sortedBy:isAscending:limit:)`` supports a property: integers, floats,
  /// doubles, Booleans, dates and links.
  package static func sorts(by property: StoredProperty) -> Bool {
    guard property.kind.collection == .none else { return false }
    switch property.kind.type {
    case .bool, .int8, .int16, .int32, .int64, .float, .double, .date, .link: return true
    case .string, .data, .uuid, .objectId, .decimal128, .mixed: return false
    }
  }

  /// The first of the matching objects when sorted by a property. The order is that of
  /// ``SortOrder``: ascending, null sorts before NaN, and NaN before the numbers. Ties are broken
  /// by ascending id.
  ///
  /// - Parameters:
  ///   - property: A property of a fixed width of at most 8 bytes. See ``sorts(by:)``.
  ///   - limit: The maximum number of objects.
  /// - Returns: The ids in order, or nil for a property of another type.
  /// - Throws: `.corrupted` if a row is damaged.
  /// - Complexity: O(rows), and O(rows × log `limit`) in the worst case.
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
