package import VarveEncoding
package import VarveStorage

/// One list, read and changed inside one write transaction.
///
/// Changed nodes stay in memory until `flush()`, so many changes of one leaf cost one write. Reads
/// return the unflushed state. Nodes that this transaction has not changed are read from the pinned
/// snapshot at which it began: the stamp in their entry is then the version of an earlier
/// transaction, and the snapshot's bytes stay valid however much the transaction writes.
///
/// A list without elements has no nodes. A transaction must use one editor per list: a second one
/// created before `flush()` does not see the first one's changes.
///
/// After an error the editor is consistent in memory, but the failed operation may be half done;
/// the transaction must be rolled back.
///
/// Thread safety: used by one thread at a time, the thread that uses the transaction.
package final class ListEditor {
  /// The id of the nodes. A list in a row, or without elements, gets it before its nodes are
  /// written.
  package internal(set) var listID: UInt64
  package let format: ListElementFormat
  let shape: PackedShape
  let transaction: WriteTransaction
  /// The version that the transaction's commit creates. Changed entries are stamped with it.
  let stamp: UInt64
  /// Whether the transaction had already failed: then everything is read from the snapshot at which
  /// it began, and nothing is written.
  let isInMemoryOnly: Bool

  /// The number of elements.
  @exclusivity(unchecked) package internal(set) var count = 0
  /// Whether there are changes that `flush()` has not written.
  package internal(set) var needsFlush = false

  var root: ListTreeNode
  /// The error that makes the stored list unusable. Operations throw it; reads return nil.
  var damage: StorageError?

  /// The changed leaf in which the last operation worked. Its parent's entry lacks `fingerDelta`
  /// elements until `resolve()`, so that consecutive changes in one leaf do not update the path to
  /// the root.
  @exclusivity(unchecked) var finger: ListTreeNode?
  @exclusivity(unchecked) var fingerStart = 0
  @exclusivity(unchecked) var fingerDelta = 0
  /// The finger's buffer while the finger is the last leaf and marked as changed. Appends go there
  /// as long as `openTailRoom` bytes suffice.
  @exclusivity(unchecked) var openTail: ListLeafBuffer?
  @exclusivity(unchecked) var openTailRoom = 0

  /// The unchanged leaf that was read last, in the snapshot's memory; nil after an edit that may
  /// have moved it.
  @exclusivity(unchecked) var view: ListLeaf?
  @exclusivity(unchecked) var viewStart = 0

  /// Stored nodes that left the tree and are deleted by the next flush.
  var removedIDs: [UInt64] = []
  /// Whether the next flush deletes all stored nodes of the list.
  var removesStoredNodes = false
  var loadedLeafCount = 0
  /// The number of loaded leaves above which they are written and released; 4096 leaves are about 8
  /// MB.
  var maximumLoadedLeaves = 4096

  /// Opens a list for changes. A list without nodes is empty.
  ///
  /// A damaged root is not reported here: `count` is 0 and the operations throw.
  ///
  /// - Complexity: one lookup per level of the tree.
  package init(
    _ content: CollectionContent, transaction: WriteTransaction, format: ListElementFormat
  ) {
    listID = content.id
    self.format = format
    shape = PackedShape(format)
    self.transaction = transaction
    stamp = transaction.root.counter + 1
    isInMemoryOnly = transaction.failure != nil
    if isInMemoryOnly { maximumLoadedLeaves = .max }
    root = ListTreeNode(
      id: ListNodeKey.root, leaf: Self.rootLeaf(format), isStored: false)
    do throws(StorageError) {
      if content.isInline {
        try loadElements(content)
      } else {
        try loadRoot()
      }
    } catch {
      damage = error
    }
  }

  /// Most lists are short, and a transaction may have many of them.
  private static func rootLeaf(_ format: ListElementFormat) -> ListLeafBuffer {
    ListLeafBuffer(format: format, capacity: 256)
  }

  /// Resets the tree in memory to an empty list that is not stored.
  func clear() {
    finger = nil
    fingerDelta = 0
    openTail = nil
    view = nil
    loadedLeafCount = 0
    count = 0
    root = ListTreeNode(
      id: ListNodeKey.root, leaf: Self.rootLeaf(format), isStored: false)
  }
}

// MARK: - Reading

extension ListEditor {
  /// Returns the raw bits of an element of at most 8 bytes, extended as in
  /// `ListDirectory.bits(at:)`.
  ///
  /// - Returns: The bits; nil for null, for an index out of bounds, and for a damaged stored list.
  /// - Complexity: O(1) next to the last access, otherwise O(log n) with a lookup of the leaf.
  package func bits(at index: Int) -> UInt64? {
    if let finger, let leaf = finger.leaf, index >= fingerStart, index - fingerStart < leaf.count {
      return leaf.bits(at: index - fingerStart, shape)
    }
    if let view, index >= viewStart, index - viewStart < view.count {
      return view.bits(at: index - viewStart, shape)
    }
    guard index >= 0, index < count, let location = locate(index) else { return nil }
    return location.bits(at: index - location.start, shape)
  }

  /// Returns the bytes of an element: fixed-width bytes, or the element codec's.
  ///
  /// - Returns: The bytes, valid until the next operation of the editor; nil for a fixed-width
  ///   null, for an index out of bounds, and for a damaged stored list.
  /// - Complexity: See `bits(at:)`.
  package func bytes(at index: Int) -> UnsafeRawBufferPointer? {
    guard index >= 0, index < count else { return nil }
    if let finger, let leaf = finger.leaf, index >= fingerStart, index - fingerStart < leaf.count {
      return leaf.element(at: index - fingerStart)
    }
    if let view, index >= viewStart, index - viewStart < view.count {
      return view.element(at: index - viewStart)
    }
    guard let location = locate(index) else { return nil }
    return location.element(at: index - location.start)
  }
}
