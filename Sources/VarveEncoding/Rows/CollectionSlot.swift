/// The reference to a collection in a row, an element or a record: its id, and a change counter.
@usableFromInline
package struct CollectionSlot: Hashable, Sendable {
  /// 0 for a collection that never had an element.
  @usableFromInline package let id: UInt64
  /// The number of transactions that changed the collection.
  @usableFromInline package let revision: UInt32
  @usableFromInline package let count: UInt32

  @usableFromInline package static let byteCount = 16
  /// A collection that never had an element.
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
