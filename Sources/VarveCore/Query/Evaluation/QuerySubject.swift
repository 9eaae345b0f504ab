import VarveEncoding

/// What a condition is asked about, and where a walk along a path has come.
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
