import VarveEncoding
import VarveStorage

/// The elements of neighbouring leaves of one version of a list, read leaf by leaf as they are
/// asked for.
///
/// Thread safety: a value for one thread.
struct ListElementRun {
  /// A leaf, and which elements of the run lie in it.
  struct Span {
    let leaf: ListLeaf
    /// The address of the leaf's bytes if it is packed.
    let packed: UnsafeRawPointer?
    let offsets: Range<Int>
  }

  /// The index of the first element in the list.
  let start: Int
  let count: Int
  private let reader: ListNodeReader
  private let entries: ArraySlice<ListInnerEntry>
  /// Where the elements of each leaf end.
  private var ends: [Int] = []
  /// The span that was read last.
  private var current: Span?

  /// - Parameters:
  ///   - run: leaves.
  ///   - reader: of the version that they are of.
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

  /// The leaf of an element.
  ///
  /// - Parameter offset: of the element from the run's first; less than `count`.
  /// - Returns: the leaf and the offsets of its elements.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(1) in the leaf that was asked for last; else a look-up.
  mutating func span(at offset: Int) throws(StorageError) -> Span {
    if let current, current.offsets.contains(offset) { return current }
    let place = ends.countAscending { $0 <= offset }
    let leaf = try reader.leaf(entries[entries.startIndex + place])
    let start = place == 0 ? 0 : ends[place - 1]
    let span = Span(leaf: leaf, packed: leaf.packedAddress, offsets: start..<ends[place])
    current = span
    return span
  }

  var snapshot: Snapshot { reader.snapshot }

  /// The error for an element that does not lie in its leaf.
  func damaged() -> StorageError { reader.damaged() }
}
