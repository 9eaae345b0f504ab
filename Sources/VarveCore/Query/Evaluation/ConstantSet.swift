import VarveEncoding

/// The constants of an `IN` comparison, sorted in the order of all types.
struct ConstantSet: Sendable {
  /// Ascending. Numbers of all types are ordered together.
  private let constants: [Value]

  /// - Complexity: O(n log n).
  init(_ values: [Value]) {
    constants = values.filter { !$0.isNaN }.sorted { SortOrder.order($0, $1) == .ascending }
  }

  /// Whether a value equals one of the constants. Null equals null, and NaN equals nothing.
  ///
  /// - Complexity: O(log n).
  func contains(_ value: Value) -> Bool {
    let index = constants.countAscending { SortOrder.order($0, value) == .ascending }
    return index < constants.count && constants[index].compared(to: value) == .equal
  }
}
