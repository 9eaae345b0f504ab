import VarveEncoding
import VarveStorage

extension ObjectQuery {
  /// Sorts object ids by the sort keys; ties keep the source's order, null comes first when
  /// ascending.
  ///
  /// - Complexity: O(n log n), with one read of each key.
  func sort(
    _ ids: inout [UInt64], _ reader: any TableReader, _ store: Store
  ) throws(Failure) {
    var columns: [[Value]] = []
    for key in sortKeys {
      try key.check(on: model)
      let path = try PropertyPath(key.path, of: model, reader, store)
      var column: [Value] = []
      column.reserveCapacity(ids.count)
      for id in ids { column.append(try path.value(ofObject: id, reader)) }
      columns.append(column)
    }
    let order = ids.indices.sorted { first, second in
      for (column, key) in zip(columns, sortKeys) {
        switch SortOrder.order(column[first], column[second]) {
        case .ascending: return key.isAscending
        case .descending: return !key.isAscending
        case .equal, .unordered: continue
        }
      }
      return first < second
    }
    ids = order.map { ids[$0] }
  }
}
