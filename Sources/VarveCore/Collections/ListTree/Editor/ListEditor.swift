package import VarveEncoding
package import VarveStorage

/// One list, read and changed inside one write transaction.
///
/// Changed nodes stay in memory until `flush()`, so many changes of one leaf cost one write. Reads
/// see the unflushed state. Nodes that this transaction has not changed are read from the pinned
/// snapshot it began at: their entry's stamp is then that of an earlier version, and the snapshot's
/// bytes stay valid however much the transaction writes.
///
/// A list without elements has no nodes. One editor a list a transaction: a second one made before
/// `flush()` does not see the first one's changes.
///
/// After an error the editor stays consistent in memory, but what the failed operation was to do
/// may be half done; the transaction is to be rolled back.
///
/// Thread safety: used by one thread at a time, the one that uses the transaction.
package final class ListEditor {
  package let listID: UInt64
  package let format: ListElementFormat
  let shape: PackedShape
  let transaction: WriteTransaction
  /// The version of the transaction's commit: what changed entries are stamped with.
  let stamp: UInt64
  /// Whether the transaction had failed before: then everything is read from the snapshot that it began
  /// at, and nothing is written.
  let isInMemoryOnly: Bool

  /// The number of elements.
  @exclusivity(unchecked) package internal(set) var count = 0
  /// Whether there are changes that `flush()` has not written.
  package internal(set) var needsFlush = false

  var root: ListTreeNode
  /// Why the stored list cannot be used; operations throw it, reads give nil.
  var damage: StorageError?

  /// The changed leaf that the last operation worked in. Its parent's entry lacks `fingerDelta`
  /// elements until `resolve()`, so that a run of changes in one leaf does not climb to the root.
  @exclusivity(unchecked) var finger: ListTreeNode?
  @exclusivity(unchecked) var fingerStart = 0
  @exclusivity(unchecked) var fingerDelta = 0
  /// The buffer of the finger while that is the last leaf and marked as changed: appends go there
  /// as long as `openTailRoom` bytes suffice.
  @exclusivity(unchecked) var openTail: ListLeafBuffer?
  @exclusivity(unchecked) var openTailRoom = 0

  /// The unchanged leaf that was read last, in the snapshot's memory; nil once an edit has moved what
  /// it may lie behind.
  @exclusivity(unchecked) var view: ListLeaf?
  @exclusivity(unchecked) var viewStart = 0

  /// Stored nodes that left the tree and are deleted by the next flush.
  var removedIDs: [UInt64] = []
  /// Set when all stored nodes of the list are to be deleted by the next flush.
  var removesStoredNodes = false
  var loadedLeafCount = 0
  /// More loaded leaves than this are written and let go of; 4096 are about 8 MB.
  var maximumLoadedLeaves = 4096

  /// Opens a list for changes; one that has no nodes yet is empty.
  ///
  /// A damaged root is not reported here: `count` is 0 and the operations throw.
  ///
  /// - Complexity: one look-up a level of the tree.
  package init(_ slot: CollectionSlot, transaction: WriteTransaction, format: ListElementFormat) {
    listID = slot.id
    self.format = format
    shape = PackedShape(format)
    self.transaction = transaction
    stamp = transaction.root.counter + 1
    isInMemoryOnly = transaction.failure != nil
    if isInMemoryOnly { maximumLoadedLeaves = .max }
    root = ListTreeNode(
      id: ListNodeKey.root, leaf: Self.rootLeaf(format), isStored: false)
    do throws(StorageError) {
      try loadRoot()
    } catch {
      damage = error
    }
  }

  /// Most lists are short, and a transaction may hold many.
  private static func rootLeaf(_ format: ListElementFormat) -> ListLeafBuffer {
    ListLeafBuffer(format: format, capacity: 256)
  }

  /// Makes the tree in memory that of an empty list which is not stored.
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
  /// The raw bits of an element of at most 8 bytes, widened as `ListDirectory.bits(at:)` does.
  ///
  /// - Returns: nil for null, for an index out of bounds, and where the stored list is damaged.
  /// - Complexity: O(1) beside the last access, else O(log n) with a look-up of the leaf.
  package func bits(at index: Int) -> UInt64? {
    if let finger, let leaf = finger.leaf, index >= fingerStart, index - fingerStart < leaf.count {
      return leaf.bits(at: index - fingerStart, shape)
    }
    if let view, index >= viewStart, index - viewStart < view.count {
      return view.bits(at: index - viewStart, shape)
    }
    guard index >= 0, index < count, let place = locate(index) else { return nil }
    return place.bits(at: index - place.start, shape)
  }

  /// The bytes of an element: those of a fixed width, or the element codec's.
  ///
  /// - Returns: nil for a null of a fixed width, for an index out of bounds, and where the stored
  ///   list is damaged. The bytes are valid until the next operation of the editor.
  /// - Complexity: as `bits(at:)`.
  package func bytes(at index: Int) -> UnsafeRawBufferPointer? {
    guard index >= 0, index < count else { return nil }
    if let finger, let leaf = finger.leaf, index >= fingerStart, index - fingerStart < leaf.count {
      return leaf.element(at: index - fingerStart)
    }
    if let view, index >= viewStart, index - viewStart < view.count {
      return view.element(at: index - viewStart)
    }
    guard let place = locate(index) else { return nil }
    return place.element(at: index - place.start)
  }
}
