/// Where the elements of a collection are: in the entries of the tables under its id.
///
/// A content belongs to the version, or to the state of a transaction, in which it was read, and is
/// valid as long as that is.
@usableFromInline
package struct CollectionContent: Sendable {
  @usableFromInline package let slot: CollectionSlot

  /// The content of a collection that never had an element.
  package static let none = CollectionContent(.none)

  @inlinable
  package init(_ slot: CollectionSlot) { self.slot = slot }

  /// The common prefix of the collection's entries in the tables; 0 for a collection that never had
  /// an element.
  @inlinable package var id: UInt64 { slot.id }

  /// Whether both have the same elements, if they are of one history of one file. False does not
  /// imply different elements.
  package func isIdentical(to other: CollectionContent) -> Bool { slot == other.slot }

  /// The number of elements; 0 if the content is that of a nested collection, which does not have
  /// the number.
  @inlinable package var count: Int { Int(slot.count) }
}
