/// A set of object ids in ascending order, with the index of each id and the id at each index.
///
/// The results of a query without sort keys are one, since a class's objects stand in the order of
/// their ids. A query that is kept up to date builds the set once, from the results of one version.
/// From then on it takes the objects that differ between that version and the next, evaluates them
/// in both, and gives those that left, entered and changed to `apply`, which returns the changes.
///
/// A set is a value whose copies share what they have in common: keeping that of an old version
/// costs the blocks that have changed since. Ids without gaps cost little more than a bit each, ids
/// far apart 9 bytes when built and some 12 after many edits.
///
/// - Thread safety: a value, free to be read anywhere.
package struct IDSet: Sendable {
  var tree = CountedTree<IDBlock>()

  package init() {}

  package var count: Int { tree.count }

  package var isEmpty: Bool { tree.count == 0 }

  /// How many ids are below the id, and whether it is a member.
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
      preconditionFailure("A block holds as many ids as it says.")
    }
    return id
  }

  /// Adds an id that is no member, at its index.
  mutating func insert(_ id: UInt64, at index: Int) {
    tree.insert(at: index) { block, _ in block.insert(id) }
  }

  /// Takes a member away from its index.
  mutating func remove(_ id: UInt64, at index: Int) {
    tree.remove(at: index) { block, index in block.remove(id, at: index) }
  }
}

extension IDSet: Sequence {
  /// The ids in ascending order.
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
