/// Objects in sorted order, with the index of each and the object at each index.
///
/// The results of a query with sort keys are one. An entry is a prefix of what the objects are sorted
/// by, and an id; what prefixes leave open, the rows of a version settle. A query that is kept up to
/// date sorts its results once. From then on it takes the objects that differ between two versions,
/// or that reach such an object through a sort key, evaluates them in both, names each once in
/// `OrderEdits`, and gives those to `apply` with the rows of the two versions, which returns the changes.
/// An object of which it is not known whether its sort keys changed is rekeyed.
///
/// All objects in the order must have rows in the version that an operation compares by, and stand
/// in that order by them. `apply` sees to it that rows of the new version are compared only when
/// everything that changed has left.
///
/// An order is a value whose copies share what they have in common: keeping that of an old version
/// costs the leaves that have changed since. An entry costs some 17 bytes when
/// built, and some 25 after many edits.
///
/// - Thread safety: a value, free to be read anywhere.
package struct OrderedIDs: Sendable {
  var tree = CountedTree<OrderedLeaf>()

  package init() {}

  /// - Parameter entries: in order, each object once.
  /// - Complexity: O(n)
  package init(inOrder entries: [OrderedEntry]) {
    let usual = OrderedLeaf.usualEntries
    let leaves = (entries.count + usual - 1) / usual
    tree = CountedTree(
      leaves: (0..<leaves).map { leaf in
        let range = entries.count * leaf / leaves..<entries.count * (leaf + 1) / leaves
        return OrderedLeaf(entries: Array(entries[range]))
      })
  }

  package var count: Int { tree.count }

  package var isEmpty: Bool { tree.count == 0 }

  /// The entry at an index.
  ///
  /// - Precondition: the index is in `0..<count`.
  /// - Complexity: O(log n)
  package subscript(index: Int) -> OrderedEntry {
    let (leaf, start) = tree.leaf(holding: index)
    return leaf.entries[index - start]
  }

  /// The index of an entry, or nil if it is not in the order.
  ///
  /// - Throws: what `rows` throws.
  /// - Complexity: O(log n) comparisons
  package func position(of entry: OrderedEntry, by rows: RowOrder) throws(Failure) -> Int? {
    let (index, isMember) = try locate(entry, by: rows)
    return isMember ? index : nil
  }

  /// How many entries come before an entry, which may be in the order or not, and whether it is.
  ///
  /// - Throws: what `rows` throws.
  /// - Complexity: O(log n) comparisons
  package func locate(
    _ entry: OrderedEntry, by rows: RowOrder
  ) throws(Failure) -> (index: Int, isMember: Bool) {
    let (leaf, start) = try tree.lastLeaf { first throws(Failure) in
      try entry.precedes(first, by: rows)
    }
    let index = try leaf.firstIndex { other throws(Failure) in
      try other.precedes(entry, by: rows)
    }
    return (start + index, index < leaf.count && leaf.entries[index] == entry)
  }

  /// Finds the end of the entries that come before a place.
  ///
  /// - Parameter isBefore: holds for no entry, or for all up to some entry.
  /// - Returns: how many it holds for.
  /// - Complexity: O(log n)
  func firstIndex(notBefore isBefore: (OrderedEntry) -> Bool) -> Int {
    let (leaf, start) = tree.lastLeaf { !isBefore($0) }
    return start + leaf.firstIndex(notBefore: isBefore)
  }

  /// Adds an entry at the index where it belongs.
  mutating func insert(_ entry: OrderedEntry, at index: Int) {
    tree.insert(at: index) { leaf, index in leaf.insert(entry, at: index) }
  }

  mutating func remove(at index: Int) {
    tree.remove(at: index) { leaf, index in leaf.remove(at: index) }
  }
}

extension OrderedIDs: Sequence {
  /// The entries in order.
  package func makeIterator() -> Iterator { Iterator(tree: tree, index: 0) }

  /// The entries from an index on.
  ///
  /// - Precondition: the index is in `0...count`.
  /// - Complexity: O(log n), and O(1) an entry.
  package func entries(from index: Int) -> IteratorSequence<Iterator> {
    IteratorSequence(Iterator(tree: tree, index: index))
  }

  package var underestimatedCount: Int { count }

  package struct Iterator: IteratorProtocol {
    private let tree: CountedTree<OrderedLeaf>
    private var leaf = OrderedLeaf()
    private var position = 0
    /// The index of the first entry after the leaf.
    private var end: Int

    fileprivate init(tree: CountedTree<OrderedLeaf>, index: Int) {
      precondition(index >= 0 && index <= tree.count, "The index is out of bounds.")
      self.tree = tree
      end = index
    }

    package mutating func next() -> OrderedEntry? {
      if position == leaf.count {
        guard end < tree.count else { return nil }
        let (found, start) = tree.leaf(holding: end)
        leaf = found
        position = end - start
        end = start + found.count
      }
      defer { position += 1 }
      return leaf.entries[position]
    }
  }
}
