/// The reference to a collection in a row or an element: its id, and a change counter. In a row it
/// may be the place of the elements instead; see ``CollectionContent``.
@usableFromInline
package struct CollectionSlot: Hashable, Sendable {
  /// 0 for a collection that never had an element.
  @usableFromInline package let id: UInt64
  /// The number of transactions that changed the collection.
  @usableFromInline package let revision: UInt32
  @usableFromInline package let count: UInt32

  @usableFromInline package static let byteCount = 16
  /// The bit of `id` that marks a place in the row: the low half is its offset, and the high half
  /// without the bit its length. Ids are less.
  @usableFromInline static let inlineBit: UInt64 = 1 << 63

  /// Whether the elements are in the row.
  @inlinable package var isInline: Bool { id & Self.inlineBit != 0 }

  /// A collection without elements.
  package static let none = CollectionSlot(id: 0, revision: 0, count: 0)

  @inlinable
  package init(id: UInt64, revision: UInt32, count: UInt32) {
    self.id = id
    self.revision = revision
    self.count = count
  }

  /// - Precondition: 16 bytes can be read at `source`.
  @inlinable
  package init(unchecked source: UnsafeRawPointer) {
    id = source.uint64(at: 0)
    revision = source.uint32(at: 8)
    count = source.uint32(at: 12)
  }

  /// - Precondition: 16 bytes can be written at `target`.
  @inlinable
  package func store(to target: UnsafeMutableRawPointer) {
    target.store(id, at: 0)
    target.store(revision, at: 8)
    target.store(count, at: 12)
  }
}
