import VarveEncoding
import VarveStorage

extension ElementQuery {
  /// Sorts object ids by the sort keys; ties keep the source's order, null comes first when
  /// ascending.
  ///
  /// - Complexity: O(n log n), with one read of each key.
  func sort(
    _ ids: inout [UInt64], _ reader: any TableReader, _ store: Store
  ) throws(Failure) {
    ids = try sortedIndexes(of: ids, reader, store).map { ids[$0] }
  }

  /// The indexes of object ids in the order of the sort keys; as ``sort(_:_:_:)``.
  func sortedIndexes(
    of ids: [UInt64], _ reader: any TableReader, _ store: Store
  ) throws(Failure) -> [Int] {
    var columns: [[Value]] = []
    for key in sortKeys {
      try key.check(on: model)
      let path = try PropertyPath(key.path, of: model, reader, store)
      var column: [Value] = []
      column.reserveCapacity(ids.count)
      for id in ids {
        column.append(try path.value(ofObject: id, reader).collated(key.collation))
      }
      columns.append(column)
    }
    return ids.indices.sorted { first, second in
      for (column, key) in zip(columns, sortKeys) {
        switch SortOrder.order(column[first], column[second]) {
        case .ascending: return key.isAscending
        case .descending: return !key.isAscending
        case .equal, .unordered: continue
        }
      }
      return first < second
    }
  }
}
