import Foundation
import VarveEncoding
import VarveStorage

extension ObjectQuery {
  /// Sorts object ids by the sort keys; ties keep the source's order, null comes first when
  /// ascending.
  ///
  /// - Complexity: O(n log n), with one read of each key.
  func sort(
    _ ids: inout [UInt64], _ schema: ClassSchema, _ file: FileSchema, _ reader: any TableReader
  ) throws(Failure) {
    var columns: [[Value]] = []
    for key in sortKeys {
      let (path, classes) = try file.resolve(key.path, from: schema)
      if let last = path.last, last.kind.collection != .none {
        throw Failure(
          .invalidInput, "Objects cannot be sorted by a collection.", className: schema.name,
          propertyName: key.path.joined(separator: "."))
      }
      columns.append(try Self.column(ids, path, classes, reader))
    }
    let order = ids.indices.sorted { first, second in
      for (column, key) in zip(columns, sortKeys) {
        switch Self.order(column[first], column[second]) {
        case .ascending: return key.isAscending
        case .descending: return !key.isAscending
        case .equal, .unordered: continue
        }
      }
      return first < second
    }
    ids = order.map { ids[$0] }
  }

  private static func column(
    _ ids: [UInt64], _ path: [StoredProperty], _ classes: [ClassSchema], _ reader: any TableReader
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(ids.count)
    for id in ids {
      var value = try reader.value(classes[0], id, path[0]) ?? .null
      for step in path.indices.dropFirst() {
        guard case .link(_, let target) = value else { break }
        value = try reader.value(classes[step], target, path[step]) ?? .null
      }
      values.append(value)
    }
    return values
  }

  /// A total order: null first, then NaN, then the values.
  private static func order(_ a: Value, _ b: Value) -> ValueOrdering {
    let result = a.compared(to: b)
    guard result == .unordered else { return result }
    return ValueOrdering(a.sortRank, b.sortRank)
  }
}

extension Value {
  fileprivate var sortRank: Int {
    if isNull { return 0 }
    return isNaN ? 1 : 2
  }
}
