public import Synchronization
package import VarveEncoding
package import VarveStorage

/// One list in one snapshot, for reading.
///
/// The first reads look up their leaf from the root. After several of them, the directory reads the
/// inner nodes once and records the first index of each leaf. From then on it caches the address of
/// every leaf that was read: a read is then two loads in addition to the element's own.
///
/// Damaged nodes never trap: their elements read as nil, and the snapshot's environment is marked
/// as damaged.
///
/// Thread safety: any number of threads may read one directory.
@usableFromInline
package final class ListDirectory: @unchecked Sendable {
  // Safe because every stored property is a constant; the memory reached through them is the
  // snapshot's immutable memory, or atomic.

  package let listID: UInt64
  package let format: ListElementFormat
  /// The number of elements; 0 for a list without nodes and for a list with a damaged root.
  @usableFromInline package let count: Int
  @usableFromInline let shape: PackedShape

  // Safe because the creator of an unretained directory guarantees to read it only while the
  // snapshot is alive; for a retained one `retained` keeps the snapshot alive.
  unowned(unsafe) let snapshot: Snapshot
  private let retained: Snapshot?
  /// The snapshot's retainer. It retains this directory for readers when its handle switches to
  /// another one.
  let retainer: SnapshotRetainer

  /// The root if it is a leaf, or the elements in the row, as in every short list.
  let rootLeaf: ListLeaf?
  /// The address of the first element in the root if it is packed.
  @usableFromInline let rootAddress: UnsafeRawPointer?
  /// Written once, by a compare and exchange. The memory it points to lives until `deinit`.
  @usableFromInline let table = Atomic<UnsafePointer<ListLeafTable>?>(nil)
  /// The number of lookups from the root so far.
  let coldReads = Atomic<Int>(0)
  /// The number of lookups from the root after which reading all inner nodes is worthwhile.
  let coldReadLimit: Int

  /// Opens a list of a snapshot. A list without nodes that is not in a row is empty. A list whose
  /// element count differs from its content's count is marked as damaged, and keeps its elements.
  ///
  /// - Parameters:
  ///   - content: The content of the list.
  ///   - isNested: Whether the content belongs to a nested list, whose content has no count.
  ///   - snapshot: The version to read.
  ///   - format: How the list's leaves store its elements.
  ///   - retainsSnapshot: false if the caller keeps the snapshot alive (announced or retained)
  ///     during every call; the directory may then outlive the snapshot, unused.
  /// - Complexity: one lookup.
  package init(
    _ content: CollectionContent, isNested: Bool = false, snapshot: Snapshot,
    format: ListElementFormat, retainsSnapshot: Bool = true
  ) {
    listID = content.id
    self.format = format
    self.snapshot = snapshot
    retained = retainsSnapshot ? snapshot : nil
    retainer = snapshot.retainer
    let root = Self.root(content, snapshot, format)
    // The smaller one of two different counts ends a walk soon.
    count = isNested ? root.count : min(root.count, content.count)
    rootLeaf = root.leaf
    rootAddress = root.leaf?.packedAddress
    shape = PackedShape(format)
    coldReadLimit = 8 + root.count / (ListNode.maximumBytes * 16)
    if _slowPath(root.count != content.count), !isNested {
      Self.noteDamage(snapshot, "A list's element count differs from the count in its object.")
    }
  }

  deinit {
    if let table = table.load(ordering: .acquiring) { Self.destroy(table) }
  }

  static func destroy(_ table: UnsafePointer<ListLeafTable>) {
    table.pointee.deallocate()
    table.deallocate()
  }

  private static func root(
    _ content: CollectionContent, _ snapshot: Snapshot, _ format: ListElementFormat
  ) -> (count: Int, leaf: ListLeaf?) {
    if content.isInline {
      let leaf = content.bytes.flatMap {
        try? ListLeaf(elements: $0, count: content.count, format: format)
      }
      if leaf == nil { Self.noteDamage(snapshot, "A list in a row is damaged.") }
      return (leaf?.count ?? 0, leaf)
    }
    guard
      let bytes = ListNodeKey(listID: content.id, nodeID: ListNodeKey.root).withBytes({
        snapshot.find(.lists, key: $0)
      })
    else { return (0, nil) }
    do throws(FormatError) {
      if try ListNode.kind(of: bytes) == .leaf {
        let leaf = try ListLeaf(validating: bytes, format: format)
        return (leaf.count, leaf)
      }
      return (try ListInner(validating: bytes).totalCount, nil)
    } catch {
      Self.noteDamage(snapshot, "A list's root is damaged.")
      return (0, nil)
    }
  }

  /// Marks the environment as damaged.
  static func noteDamage(_ snapshot: Snapshot, _ message: StaticString) {
    let environment = snapshot.environment
    environment.markDamaged(StorageError(.corrupted, message, path: environment.path))
  }
}
