public import Synchronization
package import VarveEncoding
package import VarveStorage

/// One list in one snapshot, for reading.
///
/// The first reads look their leaf up from the root. When several have come, the directory reads
/// the inner nodes once and keeps where each leaf begins, and from then on remembers the memory of
/// every leaf it has met: a read is then two loads beside the element's own.
///
/// Damaged nodes never trap: their elements read as nil, and the damage is told to the snapshot's
/// environment.
///
/// Thread safety: any number of threads may read one directory.
@usableFromInline
package final class ListDirectory: @unchecked Sendable {
  // Safe because every stored property is a constant; what is reached through them is the snapshot's
  // immutable memory, or atomic.

  package let listID: UInt64
  package let format: ListElementFormat
  /// The number of elements; 0 for a list without nodes and for one whose root is damaged.
  @usableFromInline package let count: Int
  @usableFromInline let shape: PackedShape

  // Safe because the maker of an unretained directory promises to read it only while the snapshot
  // is alive; for a retained one `retained` keeps it.
  unowned(unsafe) let snapshot: Snapshot
  private let retained: Snapshot?
  /// Of the snapshot; keeps this directory for readers when its handle goes on to another one.
  let retainer: SnapshotRetainer

  /// The root if it is a leaf, as is every short list's.
  let rootLeaf: ListLeaf?
  /// Its bytes if it is packed.
  @usableFromInline let rootAddress: UnsafeRawPointer?
  /// Written once, by a compare and exchange; what it points to lives until `deinit`.
  @usableFromInline let table = Atomic<UnsafePointer<ListLeafTable>?>(nil)
  /// Look-ups from the root so far.
  let coldReads = Atomic<Int>(0)
  /// How many look-ups from the root are worth less than reading all inner nodes.
  let coldReadLimit: Int

  /// Opens a list of a snapshot; one that has no nodes is empty. One that has not as many elements as its slot says is
  /// noted as damaged, and keeps those that it has.
  ///
  /// - Parameters:
  ///   - slot: the list's.
  ///   - isNested: whether the slot is that of a nested list, which does not say how many elements there are.
  ///   - snapshot: the version to read.
  ///   - format: how the list's leaves store its elements.
  ///   - retainsSnapshot: false if the caller keeps the snapshot alive (announced or held) during
  ///     every call; the directory may then outlive the snapshot, unused.
  /// - Complexity: one look-up.
  package init(
    _ slot: CollectionSlot, isNested: Bool = false, snapshot: Snapshot, format: ListElementFormat,
    retainsSnapshot: Bool = true
  ) {
    listID = slot.id
    self.format = format
    self.snapshot = snapshot
    retained = retainsSnapshot ? snapshot : nil
    retainer = snapshot.retainer
    let root = Self.root(slot, snapshot, format)
    count = root.count
    rootLeaf = root.leaf
    rootAddress = root.leaf?.packedAddress
    shape = PackedShape(format)
    coldReadLimit = 8 + root.count / (ListNode.maximumBytes * 16)
    if _slowPath(count != Int(slot.count)), !isNested {
      Self.noteDamage(snapshot, "A list does not have the elements that its object counts.")
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
    _ slot: CollectionSlot, _ snapshot: Snapshot, _ format: ListElementFormat
  ) -> (count: Int, leaf: ListLeaf?) {
    guard
      let bytes = ListNodeKey(listID: slot.id, nodeID: ListNodeKey.root).withBytes({
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

  /// Tells the environment of nodes that are not what they must be.
  static func noteDamage(_ snapshot: Snapshot, _ message: StaticString) {
    let environment = snapshot.environment
    environment.markDamaged(StorageError(.corrupted, message, path: environment.path))
  }
}
