import VarveEncoding
import VarveStorage

/// Rows of one layout in one page, from which tests select rows.
protocol RowFeed {
  /// Keeps the rows for which `matches` returns true. Its argument is the first byte of a row.
  ///
  /// - Returns: false if the page contains an entry that is not a plain row of the layout. The
  ///   caller must then read the page row by row.
  /// - Throws: Any error of `matches`.
  mutating func keep<E: Error>(_ matches: (UnsafeRawPointer) throws(E) -> Bool) throws(E) -> Bool
}

/// The selected rows of a leaf, as offsets of their entries in the page.
///
/// Thread safety: not thread-safe; owned by one scan.
struct SelectedRows: RowFeed {
  private(set) var page: UnsafeRawPointer
  private(set) var count = 0
  // Safe because the owner of the selection deallocates the offsets after their last use.
  private let offsets: UnsafeMutablePointer<UInt16>

  init(pageSize: Int) {
    // A damaged page may claim as many entries as fit into it.
    offsets = .allocate(capacity: pageSize / 2)
    page = UnsafeRawPointer(offsets)
  }

  func deallocate() { offsets.deallocate() }

  @inline(__always)
  private func entry(_ index: Int) -> UnsafeRawPointer { page + Int(offsets[index]) }

  /// The first byte of a row.
  @inline(__always)
  func row(_ index: Int) -> UnsafeRawPointer { entry(index) + TableLeaf.valueOffset }

  /// The id of an object.
  @inline(__always)
  func id(_ index: Int) -> UInt64 { entry(index).uint64(at: TableLeaf.keyOffset) }

  /// The id that precedes a row in its entry.
  @inline(__always)
  static func id(ofRow row: UnsafeRawPointer) -> UInt64 {
    row.uint64(at: TableLeaf.keyOffset - TableLeaf.valueOffset)
  }

  /// Keeps the rows of a leaf that have a given layout and for which `matches` returns true.
  ///
  /// - Returns: false, with an empty selection, if the leaf has an entry that is not a plain row of
  ///   the layout.
  @inline(__always)
  mutating func keep<E: Error>(
    of leaf: TableLeaf, layoutID: UInt16, fixedEnd: Int,
    _ matches: (UnsafeRawPointer) throws(E) -> Bool
  ) throws(E) -> Bool {
    count = 0
    page = leaf.page
    var kept = 0
    // Copied into locals: the compiler must assume that storing an offset changes the properties.
    let (page, offsets) = (leaf.page, offsets)
    // One word of a row contains its length, its layout and its touch count, which is usually 0.
    // Rows with touches fail this test and are validated separately.
    let shortest = UInt64(fixedEnd) | UInt64(layoutID) << 32
    for index in leaf.start..<leaf.end {
      leaf.prefetchLater(beside: index)
      guard let entry = leaf.plainEntry(at: index, least: fixedEnd) else { return false }
      let row = page + entry.offset + TableLeaf.valueOffset
      if row.uint64(at: 4) != shortest &+ entry.surplus {
        let bytes = UnsafeRawBufferPointer(start: row, count: fixedEnd + Int(entry.surplus))
        guard RowHeader.isRow(bytes, layoutID: layoutID, fixedEnd: fixedEnd) else { return false }
      }
      offsets[kept] = UInt16(truncatingIfNeeded: entry.offset)
      kept &+= try matches(row) ? 1 : 0
    }
    count = kept
    return true
  }

  /// Keeps the selected rows for which `matches` returns true.
  @inline(__always)
  mutating func keep<E: Error>(
    _ matches: (UnsafeRawPointer) throws(E) -> Bool
  ) throws(E) -> Bool {
    var kept = 0
    let (page, offsets) = (page, offsets)
    for index in 0..<count {
      let offset = offsets[index]
      offsets[kept] = offset
      kept &+= try matches(page + Int(offset) + TableLeaf.valueOffset) ? 1 : 0
    }
    count = kept
    return true
  }

  /// Drops all rows after the first `limit` rows.
  mutating func truncate(to limit: Int) { count = min(count, limit) }
}

/// The rows of a leaf to which no test has been applied yet.
struct FreshRows: RowFeed {
  let leaf: TableLeaf
  let layoutID: UInt16
  let fixedEnd: Int
  /// Receives the rows that pass.
  var selected: SelectedRows

  @inline(__always)
  mutating func keep<E: Error>(
    _ matches: (UnsafeRawPointer) throws(E) -> Bool
  ) throws(E) -> Bool {
    try selected.keep(of: leaf, layoutID: layoutID, fixedEnd: fixedEnd, matches)
  }
}
