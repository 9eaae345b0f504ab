/// A set of object ids in ascending order, with the index of each id and the id at each index.
///
/// It contains the results of a query without sort keys, because a class's objects are in the order
/// of their ids. A maintained query builds the set once, from the results of one version. After
/// that it takes the objects that differ between that version and the next, evaluates them in both,
/// and passes the ids that left, entered and changed to `apply`, which returns the changes.
///
/// A set is a value whose copies share blocks: retaining the set of an old version costs the blocks
/// that have changed since. Dense ids cost little more than one bit each; sparse ids cost 9 bytes
/// when built and about 12 after many edits.
package struct IDSet: Sendable {
  var tree = CountedTree<IDBlock>()

  package init() {}

  package var count: Int { tree.count }

  package var isEmpty: Bool { tree.count == 0 }

  /// Returns the number of ids less than `id`, and whether `id` is a member.
  ///
  /// - Complexity: O(log n)
  package func locate(_ id: UInt64) -> (index: Int, isMember: Bool) {
    let (block, start) = tree.lastLeaf { $0 > id }
    let (index, isMember) = block.locate(id)
    return (start + index, isMember)
  }

  /// The id at an index.
  ///
  /// - Precondition: the index is in `0..<count`.
  /// - Complexity: O(log n)
  package subscript(index: Int) -> UInt64 {
    let (block, start) = tree.leaf(holding: index)
    var cursor = block.cursor(at: index - start)
    guard let id = block.next(&cursor) else {
      preconditionFailure("A block's count differs from its number of ids.")
    }
    return id
  }

  /// Adds an id that is not a member, at its index.
  mutating func insert(_ id: UInt64, at index: Int) {
    tree.insert(at: index) { block, _ in block.insert(id) }
  }

  /// Removes a member from its index.
  mutating func remove(_ id: UInt64, at index: Int) {
    tree.remove(at: index) { block, index in block.remove(id, at: index) }
  }
}

extension IDSet: Sequence {
  /// Returns an iterator over the ids in ascending order.
  package func makeIterator() -> Iterator { Iterator(tree: tree) }

  package var underestimatedCount: Int { count }

  package struct Iterator: IteratorProtocol {
    private let tree: CountedTree<IDBlock>
    private var block = IDBlock()
    private var cursor = IDBlockCursor(position: 0)
    /// The index of the first id after the block.
    private var end = 0

    fileprivate init(tree: CountedTree<IDBlock>) { self.tree = tree }

    package mutating func next() -> UInt64? {
      while true {
        if let id = block.next(&cursor) { return id }
        guard end < tree.count else { return nil }
        let (found, start) = tree.leaf(holding: end)
        cursor = found.cursor(at: end - start)
        block = found
        end = start + found.count
      }
    }
  }
}
