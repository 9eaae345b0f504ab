import VarveEncoding

/// Constants that values are looked for among, in the order of all types.
///
/// Thread safety: an immutable value.
struct ConstantSet: Sendable {
  /// Ascending; numbers of all types are of one rank.
  private let constants: [Value]

  /// - Complexity: O(n log n).
  init(_ values: [Value]) {
    constants = values.filter { !$0.isNaN }.sorted { SortOrder.order($0, $1) == .ascending }
  }

  /// Whether one of the constants is equal to a value. Null equals null, and NaN nothing.
  ///
  /// - Complexity: O(log n).
  func contains(_ value: Value) -> Bool {
    let place = constants.countAscending { SortOrder.order($0, value) == .ascending }
    return place < constants.count && constants[place].compared(to: value) == .equal
  }
}
