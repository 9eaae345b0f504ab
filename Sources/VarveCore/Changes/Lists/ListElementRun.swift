import VarveEncoding
import VarveStorage

/// The elements of consecutive leaves of one version of a list, read leaf by leaf on demand.
///
/// Thread safety: a value for one thread.
struct ListElementRun {
  /// A leaf, and the offsets in the run of its elements.
  struct Span {
    let leaf: ListLeaf
    /// The address of the first element of the leaf if it is packed.
    let packed: UnsafeRawPointer?
    let offsets: Range<Int>
  }

  /// The index of the first element in the list.
  let start: Int
  let count: Int
  private let reader: ListNodeReader
  private let entries: ArraySlice<ListInnerEntry>
  /// The end offset of each leaf's elements.
  private var ends: [Int] = []
  /// The span that was read last.
  private var current: Span?

  /// - Parameters:
  ///   - run: A run of leaves.
  ///   - reader: A reader of their version.
  init(_ run: ListNodeRun, _ reader: ListNodeReader) {
    start = run.start
    count = run.count
    entries = run.entries
    self.reader = reader
    ends.reserveCapacity(entries.count)
    var end = 0
    for entry in entries {
      end += Int(entry.count)
      ends.append(end)
    }
  }

  /// Returns the leaf of an element.
  ///
  /// - Parameter offset: The offset of the element from the run's first; less than `count`.
  /// - Returns: The leaf and the offsets of its elements.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(1) in the leaf that was read last; otherwise one lookup.
  mutating func span(at offset: Int) throws(StorageError) -> Span {
    if let current, current.offsets.contains(offset) { return current }
    let position = ends.countAscending { $0 <= offset }
    let leaf = try reader.leaf(entries[entries.startIndex + position])
    let start = position == 0 ? 0 : ends[position - 1]
    let span = Span(leaf: leaf, packed: leaf.packedAddress, offsets: start..<ends[position])
    current = span
    return span
  }

  var snapshot: Snapshot { reader.snapshot }

  /// Returns the error for an element that is out of its leaf's bounds.
  func damaged() -> StorageError { reader.damaged() }
}
