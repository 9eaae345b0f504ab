/// Ids of objects whose primary key is a non-optional integer: the key itself, in unsigned order.
@usableFromInline
package enum ObjectKey {
  /// The object id of an integer key; -1 sorts before 0, as the key does.
  @inlinable
  package static func objectID(forInteger key: Int64) -> UInt64 {
    UInt64(bitPattern: key) ^ 1 << 63
  }

  /// The integer key of an object id.
  @inlinable
  package static func integer(forObjectID id: UInt64) -> Int64 {
    Int64(bitPattern: id ^ 1 << 63)
  }
}
