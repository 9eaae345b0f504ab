import VarveEncoding
import VarveStorage

/// What a scan gives the rows to that pass.
protocol RowSink: SendableMetatype {
  /// Takes rows of one layout, in the order of their ids.
  ///
  /// - Returns: Whether it wants more.
  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) -> Bool

  /// Takes one row.
  ///
  /// - Returns: Whether it wants more.
  mutating func take(
    _ row: RowReader, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool
}

/// How many rows pass.
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

/// The ids of the objects whose rows pass, ascending.
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
