import VarveEncoding
import VarveStorage

/// Rows of one layout that lie in one page, of which a test keeps some.
protocol RowFeed {
  /// Keeps the rows for which `holds` is true: it gets their first bytes.
  ///
  /// - Returns: false when the page has a row of another form, which is for others to look at.
  /// - Throws: what `holds` throws.
  mutating func keep<E: Error>(_ holds: (UnsafeRawPointer) throws(E) -> Bool) throws(E) -> Bool
}

/// The rows of a leaf that passed so far: where their entries begin in the page.
///
/// Thread safety: none; one scan's.
struct SelectedRows: RowFeed {
  private(set) var page: UnsafeRawPointer
  private(set) var count = 0
  // Safe because the owner of the selection frees them after its last use.
  private let offsets: UnsafeMutablePointer<UInt16>

  init(pageSize: Int) {
    // A damaged page may claim as many entries as it has room for offsets.
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

  /// The id that stands before a row in its entry.
  @inline(__always)
  static func id(ofRow row: UnsafeRawPointer) -> UInt64 {
    row.uint64(at: TableLeaf.keyOffset - TableLeaf.valueOffset)
  }

  /// Keeps the rows of a leaf that are of a layout and for which `holds` is true.
  ///
  /// - Returns: false, and nothing is kept, when the leaf has an entry that is not a plain row of the layout.
  @inline(__always)
  mutating func keep<E: Error>(
    of leaf: TableLeaf, layoutID: UInt16, fixedEnd: Int,
    _ holds: (UnsafeRawPointer) throws(E) -> Bool
  ) throws(E) -> Bool {
    count = 0
    page = leaf.page
    var kept = 0
    // Looked up once: the compiler cannot know that a store of an offset does not change it.
    let (page, offsets) = (leaf.page, offsets)
    // The length, the layout and no touches are one word of a row; rows with touches are looked at again.
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
      kept &+= try holds(row) ? 1 : 0
    }
    count = kept
    return true
  }

  /// Keeps those of the rows for which `holds` is true.
  @inline(__always)
  mutating func keep<E: Error>(
    _ holds: (UnsafeRawPointer) throws(E) -> Bool
  ) throws(E) -> Bool {
    var kept = 0
    let (page, offsets) = (page, offsets)
    for index in 0..<count {
      let offset = offsets[index]
      offsets[kept] = offset
      kept &+= try holds(page + Int(offset) + TableLeaf.valueOffset) ? 1 : 0
    }
    count = kept
    return true
  }

  /// Drops all rows but the first ones.
  mutating func truncate(to limit: Int) { count = min(count, limit) }
}

/// The rows of a leaf that nobody has looked at yet.
struct FreshRows: RowFeed {
  let leaf: TableLeaf
  let layoutID: UInt16
  let fixedEnd: Int
  /// Takes the rows.
  var selected: SelectedRows

  @inline(__always)
  mutating func keep<E: Error>(
    _ holds: (UnsafeRawPointer) throws(E) -> Bool
  ) throws(E) -> Bool {
    try selected.keep(of: leaf, layoutID: layoutID, fixedEnd: fixedEnd, holds)
  }
}
