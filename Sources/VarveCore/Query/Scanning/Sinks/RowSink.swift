import VarveEncoding
import VarveStorage

/// A receiver of the matching rows of a scan.
protocol RowSink: SendableMetatype {
  /// Takes rows of one layout, in id order.
  ///
  /// - Returns: Whether the sink accepts more rows.
  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) -> Bool

  /// Takes one row.
  ///
  /// - Returns: Whether the sink accepts more rows.
  mutating func take(
    _ row: RowReader, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool
}

/// Counts the matching rows.
struct CountSink: RowSink {
  private(set) var count = 0

  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) -> Bool {
    count += rows.count
    return true
  }

  mutating func take(_ row: RowReader, id: UInt64, _ reader: any TableReader) -> Bool {
    count += 1
    return true
  }
}

/// Collects the ids of the matching objects, ascending.
struct IDSink: RowSink {
  private(set) var ids: [UInt64] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) -> Bool {
    let count = min(rows.count, limit - ids.count)
    ids.append(contentsOf: (0..<count).lazy.map { rows.id($0) })
    return ids.count < limit
  }

  mutating func take(_ row: RowReader, id: UInt64, _ reader: any TableReader) -> Bool {
    if ids.count < limit { ids.append(id) }
    return ids.count < limit
  }
}
