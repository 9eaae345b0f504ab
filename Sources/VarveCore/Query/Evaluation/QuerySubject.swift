import VarveEncoding

/// The object or value that a condition is evaluated on, and each stop of a walk along a path.
///
/// Thread safety: a value for one thread.
enum QuerySubject {
  /// An object whose row is at hand.
  case row(RowReader, UInt64)
  /// A value; `property`: the collection that holds it, where it may hold collections in turn.
  case value(Value, StoredProperty?)
  case collection(CollectionSlot, StoredProperty)
  /// An empty collection.
  case nothing
}
