import Foundation
package import VarveEncoding
import VarveStorage

/// The order of the objects of one version by the sort keys of a query.
///
/// Thread safety: not thread-safe, like its reader.
package struct SortOrder {
  private let reader: any TableReader
  private let keys: [(path: PropertyPath, isAscending: Bool, collation: TextCollation)]

  /// - Throws: `.unknownProperty` or `.invalidInput` for a sort key that the class lacks.
  init(_ query: ElementQuery, _ scope: ReadScope) throws(Failure) {
    try self.init(query.sortKeys, of: query.model, scope)
  }

  /// - Throws: `.unknownProperty` or `.invalidInput` for a sort key that the class lacks.
  init(
    _ sortKeys: [ElementQuery.SortKey], of model: ClassDescription, _ scope: ReadScope
  ) throws(Failure) {
    reader = scope.reader
    var keys: [(path: PropertyPath, isAscending: Bool, collation: TextCollation)] = []
    for key in sortKeys {
      try key.check(on: model)
      keys.append((try PropertyPath(key.path, of: model, scope), key.isAscending, key.collation))
    }
    self.keys = keys
  }

  /// Sorts object ids. The sort is stable.
  ///
  /// - Complexity: O(n log n), with one read of each key.
  func sorted(_ ids: [UInt64]) throws(Failure) -> [UInt64] {
    try sortedIndexes(of: ids).map { ids[$0] }
  }

  /// The indexes of object ids in sort order. See ``sorted(_:)``.
  func sortedIndexes(of ids: [UInt64]) throws(Failure) -> [Int] {
    var columns: [[Value]] = []
    for key in keys {
      var column: [Value] = []
      column.reserveCapacity(ids.count)
      for id in ids {
        column.append(try key.path.value(ofObject: id, reader).collated(key.collation))
      }
      columns.append(column)
    }
    return ids.indices.sorted { first, second in
      for (column, key) in zip(columns, keys) {
        switch SortOrder.order(column[first], column[second]) {
        case .ascending: return key.isAscending
        case .descending: return !key.isAscending
        case .equal, .unordered: continue
        }
      }
      return first < second
    }
  }

  /// The order of two objects, or `.equal` if all keys are equal.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: One read of each key, up to the first one that differs.
  func compare(_ first: UInt64, _ second: UInt64) throws(Failure) -> ValueOrdering {
    for key in keys {
      let order = SortOrder.order(
        try key.path.value(ofObject: first, reader).collated(key.collation),
        try key.path.value(ofObject: second, reader).collated(key.collation))
      if order != .equal { return key.isAscending ? order : order.reversed }
    }
    return .equal
  }

  /// An approximation of an object's position in the order: of two objects with different prefixes,
  /// the one with the lower prefix sorts first.
  ///
  /// - Throws: `.corrupted`.
  func prefix(of id: UInt64) throws(Failure) -> UInt64 {
    guard let key = keys.first else { return 0 }
    let value = try key.path.value(ofObject: id, reader).collated(key.collation)
    let prefix = key.path.isMixed ? value.mixedSortPrefix : value.sortPrefix
    return key.isAscending ? prefix : ~prefix
  }

  /// A total order: null first, then values by the rank of their types, with NaN first in each.
  /// Numbers of all types have the same rank.
  package static func order(_ a: Value, _ b: Value) -> ValueOrdering {
    let result = a.compared(to: b)
    guard result == .unordered else { return result }
    if a.keyRank != b.keyRank { return ValueOrdering(a.keyRank, b.keyRank) }
    return ValueOrdering(a.rankInType, b.rankInType)
  }
}

extension Value {
  /// The value that is compared in sorts: for a string with a collation other than bytes, its sort
  /// key.
  func collated(_ collation: TextCollation) -> Value {
    guard collation != .bytes, case .string(let string) = self else { return self }
    return .data(Data(collation.key(string)))
  }

  /// The order of values of one type that do not compare.
  fileprivate var rankInType: UInt32 {
    if case .link(let classID, _) = self { return classID }
    return isNaN ? 0 : 1
  }

  /// A number that never decreases as mixed values ascend in the order of all types.
  fileprivate var mixedSortPrefix: UInt64 {
    let prefix =
      if case .int(let value) = self { OrderedDouble.bits(Value.floor(of: value)) } else {
        sortPrefix
      }
    return UInt64(keyRank) << 56 | prefix >> 8
  }

  /// The greatest double that is at most the integer. Rounding up could pass a decimal that is
  /// greater than the integer.
  private static func floor(of integer: Int64) -> Double {
    let double = Double(integer)
    return ValueOrdering(integer, comparedTo: double) == .ascending ? double.nextDown : double
  }

  /// A number that never decreases as values ascend.
  fileprivate var sortPrefix: UInt64 {
    switch self {
    case .null, .link, .nested: 0
    case .bool, .int, .float, .double, .date: sortBits ?? 0
    case .string(let value): Value.sortPrefix(value.utf8)
    case .data(let value): Value.sortPrefix(value)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Value.sortPrefix($0) }
    case .objectId(let value): value.high
    case .decimal(let value): OrderedDouble.bits(value.floor.double)
    }
  }

  private static func sortPrefix(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var prefix: UInt64 = 0
    var shift: UInt64 = 64
    for byte in bytes.prefix(8) {
      shift -= 8
      prefix |= UInt64(byte) << shift
    }
    return prefix
  }
}
