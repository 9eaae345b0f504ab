/// Objects in sorted order, with the index of each object and the object at each index.
///
/// It contains the results of a query with sort keys. An entry is a prefix of the encoded sort keys
/// and an id; equal prefixes are resolved by the rows of a version. A maintained query sorts its
/// results once. After that it takes the objects that differ between two versions, or that reach
/// such an object through a sort key, evaluates them in both, adds one edit for each to
/// `OrderEdits`, and passes the edits to `apply` with the rows of the two versions, which returns
/// the changes. An object whose sort keys may have changed is rekeyed.
///
/// All objects in the order must have rows in the version by which an operation compares, and must
/// be in the order of these rows. `apply` compares rows of the new version only after all changed
/// objects were removed.
///
/// An order is a value whose copies share leaves: retaining the order of an old version costs the
/// leaves that have changed since. An entry costs about 17 bytes when built, and about 25 after
/// many edits.
package struct OrderedIDs: Sendable {
  var tree = CountedTree<OrderedLeaf>()

  package init() {}

  /// - Parameter entries: The entries in order, one for each object.
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

  /// Returns the index of an entry, or nil if it is not in the order.
  ///
  /// - Throws: The errors of `rows`.
  /// - Complexity: O(log n) comparisons
  package func position(of entry: OrderedEntry, by rows: RowOrder) throws(Failure) -> Int? {
    let (index, isMember) = try locate(entry, by: rows)
    return isMember ? index : nil
  }

  /// Returns the number of entries that come before an entry, and whether the entry is in the
  /// order.
  ///
  /// - Throws: The errors of `rows`.
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

  /// Returns the number of entries at the beginning of the order that satisfy a predicate.
  ///
  /// - Parameter isBefore: A predicate that is true for all entries up to some index and false
  ///   after it.
  /// - Complexity: O(log n)
  func firstIndex(notBefore isBefore: (OrderedEntry) -> Bool) -> Int {
    let (leaf, start) = tree.lastLeaf { !isBefore($0) }
    return start + leaf.firstIndex(notBefore: isBefore)
  }

  /// Inserts an entry at the index where it belongs.
  mutating func insert(_ entry: OrderedEntry, at index: Int) {
    tree.insert(at: index) { leaf, index in leaf.insert(entry, at: index) }
  }

  mutating func remove(at index: Int) {
    tree.remove(at: index) { leaf, index in leaf.remove(at: index) }
  }
}

extension OrderedIDs: Sequence {
  /// Returns an iterator over the entries in order.
  package func makeIterator() -> Iterator { Iterator(tree: tree, index: 0) }

  /// Returns the entries from an index on.
  ///
  /// - Precondition: the index is in `0...count`.
  /// - Complexity: O(log n), and O(1) per entry.
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
